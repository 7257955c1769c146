#include "bench/bounds/bound_search.hpp"

#include "core/base/text.hpp"
#include "core/model/forward.hpp"
#include "core/rng/sample.hpp"
#include "core/solve/solvers.hpp"
#include "tasks/conditioned_data.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

namespace attest {

namespace {

constexpr std::array<std::string_view, 6> kKinds = {
    "unitary", "dependent", "units", "mixed", "single", "repeated"};

/// What a problem is drawn from. Conditions are powers of two: exact on every platform.
struct Plan {
    std::string_view kind;
    Index d = 2;
    Index o = 1;
    Index N = 1;
    Index n = 1;  ///< tokens a sequence
    int log2_condition = 0;
    double noise = 0.0;
    bool only_noise = false;
    double ridge = 0.0;
    Norm norm = Norm::sym;
};

Matrix normal(Index rows, Index cols, const Stream& stream) {
    return grid_matrix(grid_normal(), rows, cols, stream);
}

Index between(Draws& draws, Index lowest, Index highest) {
    return lowest +
           static_cast<Index>(draws.below(static_cast<std::uint64_t>(highest - lowest + 1)));
}

int exponent_between(Draws& draws, int lowest, int highest) {
    return static_cast<int>(between(draws, lowest, highest));
}

Plan draw_plan(const Stream& stream) {
    Draws draws(stream);
    Plan plan;
    plan.kind = kKinds[static_cast<std::size_t>(draws.below(kKinds.size()))];
    plan.d = plan.kind == "unitary" ? 2 * between(draws, 1, 2) : between(draws, 2, 4);
    plan.o = between(draws, 1, 3);
    plan.n = between(draws, 1, 12);
    const Index psi = feature_dim(plan.d);
    switch (draws.below(6)) {
        case 0:
            plan.N = between(draws, psi / 2, psi - 1);
            break;
        case 1:
            plan.N = psi;
            break;
        default:
            plan.N = between(draws, psi + 1, 4 * psi);
    }
    plan.log2_condition = exponent_between(draws, 10, 42);
    constexpr std::array<double, 5> kNoise = {0.0, 0x1p-30, 0x1p-10, 0.125, 1.0};
    plan.noise = kNoise[static_cast<std::size_t>(draws.below(kNoise.size()))];
    plan.only_noise = draws.below(8) == 0;
    if (draws.below(3) == 0) {
        plan.ridge = std::ldexp(1.0, exponent_between(draws, -60, 0));
    }
    plan.norm = draws.below(2) == 0 ? Norm::sym : Norm::packed;
    return plan;
}

/// Tokens of sequence i, for the kinds that conditioned_data does not make.
Matrix tokens_of(const Plan& plan, Index i, const Stream& stream) {
    const double small = std::ldexp(1.0, -plan.log2_condition / 2);
    const Stream own = stream.child("example").child(i);
    Matrix Z = normal(plan.d, plan.n, own);
    if (plan.kind == "units") {
        Draws draws(stream.child("units"));
        for (Index a = 0; a < plan.d; ++a) {
            const int range = plan.log2_condition / 3;
            Z.row(a) *= std::ldexp(1.0, exponent_between(draws, -range, range));
        }
    } else if (plan.kind == "mixed") {
        Matrix mix = normal(plan.d, plan.d, stream.child("mix"));
        mix.col(0) *= std::ldexp(1.0, -plan.log2_condition / 3);
        Z = mix * Z;
    } else if (plan.kind == "single") {
        // One token would make H a symmetric tensor, of deficient rank.
        Z.leftCols(plan.n - 1) *= small;
    } else if (plan.kind == "repeated") {
        // Fewer different sequences than features, but for a little.
        const Index different = std::max<Index>(1, feature_dim(plan.d) - 2);
        const Stream first = stream.child("original").child(i % different);
        Z = normal(plan.d, plan.n, first) + small * Z;
    }
    return Z;
}

Dataset tokens_with_labels(const Plan& plan, const Stream& stream) {
    Parameters theta{plan.d, plan.o, {}};
    theta.heads.push_back(
        {normal(plan.o, plan.d, stream.child("V")), normal(plan.d, plan.d, stream.child("Q"))});
    Dataset data;
    data.labels = LabelKind::per_sequence;
    Matrix tokens(plan.d, plan.n * plan.N);
    data.y = plan.noise * normal(plan.o, plan.N, stream.child("noise"));
    for (Index i = 0; i < plan.N; ++i) {
        data.offsets.push_back(i * plan.n);
        const Matrix Z = tokens_of(plan, i, stream);
        tokens.middleCols(i * plan.n, plan.n) = Z;
        data.y.col(i) += attend<double>(theta, Z, Z.col(plan.n - 1));
    }
    data.offsets.push_back(plan.N * plan.n);
    data.tokens = std::move(tokens);
    return data;
}

std::vector<std::string> contenders(const BoundSearchOptions& options) {
    std::vector<std::string> names = options.only;
    for (const std::string& name : names) {
        (void)solver_named(name);
    }
    if (names.empty()) {
        for (const Solver& solver : solvers()) {
            if (!solver.traits.beyond_doubles) {
                names.emplace_back(solver.name);
            }
        }
    }
    return names;
}

/// Whether 50 digits see another rank of the features than the answer rests on, which claims
/// nothing then. With a ridge only an answer that took singular values for zeros rests on a rank,
/// and `exact` does not say the true one: the minimiser without a ridge does.
bool rests_on_another_rank(const LeastSquaresFit& fit,
                           const LeastSquaresFit& exact,
                           const MomentSource& source,
                           SolveOptions options) {
    if (!(options.ridge > 0.0)) {
        return fit.rank != exact.rank;
    }
    if (!presumes_numerical_rank(fit.status)) {
        return false;
    }
    options.ridge = 0.0;
    const LeastSquaresFit bare = fit_least_squares(source, "reference", options);
    return bare.status == SolveStatus::refused || fit.rank != bare.rank;
}

void judge(const LeastSquaresFit& fit,
           const LeastSquaresFit& exact,
           const BoundProblem& problem,
           const MomentSource& source,
           double share,
           Index number,
           BoundTally& tally) {
    ++tally.fits;
    if (fit.status == SolveStatus::refused) {
        ++tally.refused;
        return;
    }
    if (std::isinf(fit.error_bound) || rests_on_another_rank(fit, exact, source, problem.options)) {
        ++tally.unclaimed;
        return;
    }
    ++tally.answered;
    const double error = (fit.P - exact.P).norm() / exact.P.norm();
    const double ratio = error / (share * fit.error_bound + exact.error_bound);
    if (!(ratio <= 1.0)) {
        ++tally.beyond;
    }
    if (!(ratio <= tally.worst_ratio)) {
        tally.worst_ratio = ratio;
        tally.worst_problem = number;
        tally.worst_words = problem.words;
    }
}

}  // namespace

BoundProblem draw_bound_problem(const Stream& stream) {
    const Plan plan = draw_plan(stream.child("plan"));
    const Stream tokens = stream.child("data");
    BoundProblem problem;
    problem.words = formatted("{}, d {}, N {}, condition 2^{}, noise {}{}, ridge {}, {}",
                              plan.kind,
                              plan.d,
                              plan.N,
                              plan.log2_condition,
                              round_trip(plan.noise),
                              plan.only_noise ? " alone" : "",
                              round_trip(plan.ridge),
                              to_string(plan.norm));
    if (plan.kind == "unitary" || plan.kind == "dependent") {
        const Degeneracy degeneracy =
            plan.kind == "unitary" ? Degeneracy::unitary : Degeneracy::dependent;
        const double condition = std::ldexp(1.0, plan.log2_condition);
        problem.data =
            conditioned_data(degeneracy, {plan.d, plan.o, plan.N, condition, plan.noise}, tokens);
    } else {
        problem.data = tokens_with_labels(plan, tokens);
    }
    if (plan.only_noise) {
        problem.data.y = normal(plan.o, plan.N, stream.child("labels"));
    }
    problem.options.ridge = plan.ridge;
    problem.options.norm = plan.norm;
    return problem;
}

Index BoundSearch::beyond() const {
    Index count = 0;
    for (const BoundTally& tally : tallies) {
        count += tally.beyond;
    }
    return count;
}

BoundSearch search_bounds(const BoundSearchOptions& options) {
    BoundSearch search;
    for (std::string& name : contenders(options)) {
        search.tallies.emplace_back().solver = std::move(name);
    }
    const Stream stream = Stream(options.seed).child("bounds");
    while (search.fits < options.fits) {
        BoundProblem problem = draw_bound_problem(stream.child(search.problems));
        problem.options.threads = options.threads;
        const DatasetSource source(problem.data);
        const LeastSquaresFit exact = fit_least_squares(source, "reference", problem.options);
        ++search.problems;
        if (exact.status == SolveStatus::refused || !(exact.P.norm() > 0.0)) {
            continue;
        }
        for (BoundTally& tally : search.tallies) {
            judge(fit_least_squares(source, tally.solver, problem.options),
                  exact,
                  problem,
                  source,
                  options.share,
                  search.problems - 1,
                  tally);
            ++search.fits;
        }
        if (options.progress) {
            options.progress(search.fits);
        }
    }
    return search;
}

Table bound_table(const BoundSearch& search) {
    using Style = NumberFormat::Style;
    Table table;
    table.columns = {{"solver", Alignment::left},
                     {"fits"},
                     {"answered"},
                     {"refused"},
                     {"no claim"},
                     {"beyond"},
                     {"worst error/bound", Alignment::right, {Style::significant, 3}},
                     {"there", Alignment::left}};
    for (const BoundTally& tally : search.tallies) {
        const Cell worst = tally.answered > 0 ? Cell(tally.worst_ratio) : Cell();
        const std::string there = tally.worst_problem < 0 ? std::string()
                                                          : std::to_string(tally.worst_problem) +
                                                                ": " + tally.worst_words;
        table.rows.push_back({tally.solver,
                              std::int64_t{tally.fits},
                              std::int64_t{tally.answered},
                              std::int64_t{tally.refused},
                              std::int64_t{tally.unclaimed},
                              std::int64_t{tally.beyond},
                              worst,
                              there});
    }
    return table;
}

}  // namespace attest

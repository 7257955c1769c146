#include "bench/bounds/bound_search.hpp"

#include "bench/bounds/bound_problem.hpp"
#include "core/solve/solvers.hpp"

#include <cmath>
#include <utility>

namespace attest {

namespace {

std::vector<std::string> contenders(const BoundSearchOptions& options) {
    std::vector<std::string> names = options.only;
    for (const std::string& name : names) {
        (void)solver_named(name);
    }
    if (names.empty()) {
        for (const Solver& solver : solvers()) {
            if (solver.name != "reference") {
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

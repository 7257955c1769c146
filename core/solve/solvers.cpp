#include "core/solve/solvers.hpp"

#include "core/algebra/lapack.hpp"
#include "core/base/error.hpp"
#include "core/base/memory.hpp"
#include "core/base/text.hpp"
#include "core/base/timer.hpp"
#include "core/solve/cost_model.hpp"
#include "core/solve/dual.hpp"
#include "core/solve/explicit_features.hpp"
#include "core/solve/grouped.hpp"
#include "core/solve/orthogonal.hpp"
#include "core/solve/preconditioned.hpp"
#include "core/solve/reference.hpp"
#include "core/solve/scaled_fit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

namespace attest {

namespace {

LeastSquaresFit normal_fit(const MomentSource& source, const SolveOptions& options) {
    return fit_normal_equations(explicit_moments(source), source.shape().layout, options);
}

LeastSquaresFit tsqr_fit(const MomentSource& source, const SolveOptions& options) {
    return fit_qr(triangular_factor(source), source.shape().layout, options);
}

LeastSquaresFit svd_fit(const MomentSource& source, const SolveOptions& options) {
    return fit_svd(triangular_factor(source), source.shape().layout, options);
}

LeastSquaresFit literal_fit(const MomentSource& source, const SolveOptions& options) {
    if (options.ridge > 0.0 || options.norm != Norm::sym) {
        return refusal("literal",
                       "Algorithm 1 as printed has no ridge and minimises the norm of W");
    }
    return fit_literal(source);
}

constexpr const char* kStable = "backward stable";
constexpr const char* kDeficient = "features of deficient rank, N < psi";
constexpr const char* kNothing = "nothing: minimum norm at any rank";

constexpr std::array kSolvers{
    Solver{"gram64",
           "structured second moment, Cholesky, refinement",
           "backward stable, of whitened tokens; cond below 7e7",
           kDeficient,
           gram64_cost,
           fit_gram64},
    Solver{"gram32",
           "the same in single precision, refined to double",
           "backward stable, of whitened tokens; cond below 3e3",
           kDeficient,
           gram32_cost,
           fit_gram32},
    Solver{"dual",
           "kernel of the examples, for N < psi: minimum norm",
           "backward stable; cond below 7e7",
           "dependent examples; N > psi without ridge",
           dual_cost,
           fit_dual,
           {.ground = SolverGround::few_examples}},
    Solver{"kron",
           "conjugate gradients, Kronecker preconditioner, nothing psi x psi",
           "backward stable, of whitened tokens, where it converges",
           "no convergence in 2000 iterations; N < psi",
           kronecker_cost,
           fit_kronecker},
    Solver{"grouped",
           "one problem for each of d query tokens; large d",
           "backward stable, times cond of the queries",
           "ridge; other than d independent query tokens; groups of deficient rank",
           grouped_cost,
           fit_grouped,
           {.ground = SolverGround::few_query_tokens, .needs_whole = true}},
    Solver{"sketch",
           "QR of 4 psi random sums of examples, then conjugate gradients; N >> psi",
           "backward stable, of whitened tokens; cond below 1e5",
           kDeficient,
           sketched_cost,
           fit_sketched},
    Solver{"tsqr", "streamed Householder QR", kStable, kDeficient, tsqr_cost, tsqr_fit},
    Solver{"svd", "streamed QR, then SVD", kStable, kNothing, svd_cost, svd_fit},
    Solver{"normal",
           "explicit features, second moment, Cholesky",
           "error ~ cond^2",
           kDeficient,
           normal_cost,
           normal_fit},
    Solver{"gels", "LAPACK's QR of explicit features", kStable, kDeficient, gels_cost, fit_gels},
    Solver{"gelsy", "LAPACK's pivoted QR", kStable, kNothing, gelsy_cost, fit_gelsy},
    Solver{"gelsd", "LAPACK's SVD", kStable, kNothing, gelsd_cost, fit_gelsd},
    Solver{"eigen_householder",
           "Eigen's HouseholderQR of explicit features",
           kStable,
           kDeficient,
           gels_cost,
           fit_eigen_householder},
    Solver{"eigen_cod",
           "Eigen's CompleteOrthogonalDecomposition",
           kStable,
           kNothing,
           gelsy_cost,
           fit_eigen_cod},
    Solver{"eigen_bdcsvd", "Eigen's BDCSVD", kStable, kNothing, bdcsvd_cost, fit_eigen_bdcsvd},
    Solver{"literal",
           "Algorithm 1 as printed, o d^3 unknowns; tiny d",
           kStable,
           "ridge, --norm packed",
           literal_cost,
           literal_fit,
           {.as_printed = true}},
    Solver{"reference",
           "50 decimal digits; psi up to 300",
           "correct to double rounding",
           "psi > 300; features deficient to 50 digits",
           reference_cost,
           fit_reference,
           {.beyond_doubles = true, .needs_whole = true}},
};

/// The least demanding solver of its kind that fits, in words.
std::string what_would_fit(const SourceShape& shape) {
    const Solver* best = nullptr;
    const bool few = shape.num_examples < shape.psi();
    for (const char* name : {few ? "dual" : "gram64", few ? "svd" : "gram32", "tsqr", "kron"}) {
        const Solver& solver = solver_named(name);
        if (best == nullptr && solver.cost(shape).bytes <= memory_limit()) {
            best = &solver;
        }
    }
    return best == nullptr ? "no solver would fit: take fewer examples"
                           : formatted("--solver {} needs about {}",
                                       best->name,
                                       format_bytes(best->cost(shape).bytes));
}

bool fits(std::string_view name, const SourceShape& shape) {
    return solver_named(name).cost(shape).bytes <= memory_limit();
}

void append_new(std::vector<std::string_view>& chain, std::string_view name) {
    if (std::find(chain.begin(), chain.end(), name) == chain.end()) {
        chain.push_back(name);
    }
}

/// The cheapest of `names` that fits, or nothing.
std::string_view cheapest(const std::vector<std::string_view>& names,
                          const SourceShape& shape,
                          const SolveOptions& options,
                          const Rates& rates) {
    std::string_view best;
    double least = 0.0;
    for (const std::string_view name : names) {
        const double seconds =
            predicted_seconds(solver_named(name).cost(shape), rates, options.threads);
        if (fits(name, shape) && (best.empty() || seconds < least)) {
            best = name;
            least = seconds;
        }
    }
    return best;
}

std::string told(const std::vector<SolveAttempt>& attempts) {
    std::string text;
    for (const SolveAttempt& attempt : attempts) {
        text += formatted("{}: {}; ", attempt.solver, attempt.outcome);
    }
    return text;
}

}  // namespace

std::span<const Solver> solvers() {
    static const std::vector<Solver> kAvailable = [] {
        std::vector<Solver> found(kSolvers.begin(), kSolvers.end());
        if (lapack_info().backend != "lapacke") {
            std::erase_if(found, [](const Solver& s) { return s.name.starts_with("gels"); });
        }
        std::erase_if(found, [](const Solver& s) {
            return s.traits.ground == SolverGround::few_query_tokens;
        });
        return found;
    }();
    return kAvailable;
}

const Solver& solver_named(std::string_view name) {
    const auto* const found = std::find_if(
        kSolvers.begin(), kSolvers.end(), [&](const Solver& s) { return s.name == name; });
    if (found != kSolvers.end()) {
        return *found;
    }
    std::string names = "auto";
    for (const Solver& solver : kSolvers) {
        names += formatted(", {}", solver.name);
    }
    throw UnknownName(formatted("solver: got '{}', expected one of {}", name, names));
}

LeastSquaresFit fit_least_squares(const MomentSource& source,
                                  std::string_view solver,
                                  const SolveOptions& options) {
    const SourceShape shape = source.shape();
    require(shape.num_examples >= 1, "least squares: the data set has no examples");
    require(shape.o >= 1, "least squares: the data set has no labels");
    require(options.ridge >= 0.0, "least squares: the ridge must not be negative");
    require(options.threads >= 1, "least squares: the number of threads must be positive");
    if (solver == "auto") {
        return fit_scaled(source, options, [](const MomentSource& s, const SolveOptions& o) {
            return fit_automatic(s, o, current_rates());
        });
    }
    const Solver& named = solver_named(solver);
    require_memory(
        named.cost(shape).bytes,
        formatted("solver {} at psi = {}, N = {}", named.name, shape.psi(), shape.num_examples),
        what_would_fit(shape));
    const FitFunction fit = [&named](const MomentSource& s, const SolveOptions& o) {
        return fit_recorded(named, s, o, current_rates(), {});
    };
    return named.traits.beyond_doubles ? fit(source, options) : fit_scaled(source, options, fit);
}

std::vector<std::string_view> automatic_chain(const SourceShape& shape,
                                              const SolveOptions& options,
                                              const Rates& rates) {
    const bool few = shape.num_examples < shape.psi();
    std::vector<std::string_view> chain;
    if (few && !(options.ridge > 0.0)) {
        return {"dual", "svd"};
    }
    std::vector<std::string_view> candidates{"gram64", "gram32"};
    if (few) {
        candidates.emplace_back("dual");
    }
    const std::string_view first = cheapest(candidates, shape, options, rates);
    append_new(chain, first.empty() ? "kron" : first);
    for (const char* name : {"gram64", "tsqr", "svd"}) {
        append_new(chain, name);
    }
    return chain;
}

LeastSquaresFit fit_recorded(const Solver& solver,
                             const MomentSource& source,
                             const SolveOptions& options,
                             const Rates& rates,
                             std::vector<SolveAttempt> before) {
    const SolveCost cost = solver.cost(source.shape());
    SolveAttempt attempt;
    attempt.solver = solver.name;
    attempt.predicted_seconds = predicted_seconds(cost, rates, options.threads);
    attempt.predicted_bytes = cost.bytes;
    const double resident = resident_bytes();
    const Timer timer;
    LeastSquaresFit fit = solver.fit(source, options);
    if (!fit.P.allFinite() || std::isnan(fit.error_bound)) {
        fit = refusal(solver.name, "a number left the range of doubles");
    }
    attempt.seconds = timer.seconds();
    attempt.bytes = std::max(0.0, peak_resident_bytes() - resident);
    attempt.outcome = fit.status == SolveStatus::refused ? fit.note : "answered";
    fit.attempts = std::move(before);
    fit.attempts.push_back(std::move(attempt));
    return fit;
}

LeastSquaresFit fit_automatic(const MomentSource& source,
                              const SolveOptions& options,
                              const Rates& rates) {
    const SourceShape shape = source.shape();
    std::vector<SolveAttempt> attempts;
    bool too_large = false;
    for (const std::string_view name : automatic_chain(shape, options, rates)) {
        const Solver& solver = solver_named(name);
        if (!fits(name, shape)) {
            too_large = true;
            SolveAttempt skipped;
            skipped.solver = name;
            skipped.predicted_bytes = solver.cost(shape).bytes;
            skipped.outcome = formatted("needs about {}", format_bytes(skipped.predicted_bytes));
            attempts.push_back(std::move(skipped));
            continue;
        }
        LeastSquaresFit fit = fit_recorded(solver, source, options, rates, std::move(attempts));
        if (fit.status != SolveStatus::refused) {
            const std::string before = told({fit.attempts.begin(), fit.attempts.end() - 1});
            fit.note =
                formatted("auto: {}{}{}{}", before, name, fit.note.empty() ? "" : ", ", fit.note);
            return fit;
        }
        attempts = std::move(fit.attempts);
    }
    require(too_large,
            "least squares at d = {}, N = {}: {}bring tokens and labels nearer to 1 by powers of "
            "two",
            shape.m(),
            shape.num_examples,
            told(attempts));
    const std::optional<double> chosen = chosen_memory_limit();
    const bool can_be_raised = chosen && *chosen <= memory_limit();
    throw EnvironmentFailure(formatted(
        "least squares at d = {}, N = {}: the limit is {}; {}take fewer examples{}",
        shape.m(),
        shape.num_examples,
        format_bytes(memory_limit()),
        told(attempts),
        can_be_raised ? " or raise ATTEST_MEMORY_LIMIT" : ", or a machine with more memory"));
}

}  // namespace attest

#include "core/solve/solvers.hpp"

#include "core/solve/literal.hpp"
#include "core/solve/normal_equations.hpp"
#include "core/solve/orthogonal.hpp"

#include <algorithm>
#include <array>

namespace attest {

namespace {

double psi_of(const SourceShape& shape) {
    return static_cast<double>(feature_dim(shape.d));
}

SolveCost normal_cost(const SourceShape& shape) {
    const double psi = psi_of(shape);
    const auto N = static_cast<double>(shape.num_examples);
    return {N * psi * psi + psi * psi * psi / 3.0, 8.0 * psi * (3.0 * psi + 512.0)};
}

SolveCost qr_cost(const SourceShape& shape) {
    const double psi = psi_of(shape);
    const auto N = static_cast<double>(shape.num_examples);
    return {3.0 * N * psi * psi, triangular_factor_bytes(shape)};
}

SolveCost svd_cost(const SourceShape& shape) {
    const double psi = psi_of(shape);
    const double rank = std::min(psi, static_cast<double>(shape.num_examples));
    SolveCost cost = qr_cost(shape);
    cost.flops += 20.0 * psi * rank * rank;
    cost.bytes += 8.0 * 6.0 * psi * rank;
    return cost;
}

SolveCost literal_cost(const SourceShape& shape) {
    const auto unknowns = static_cast<double>(shape.o * shape.d * shape.d * shape.d);
    const auto rows = static_cast<double>(shape.num_examples * shape.o);
    return {6.0 * rows * unknowns * std::min(rows, unknowns), literal_bytes(shape)};
}

LeastSquaresFit normal_fit(const MomentSource& source, const SolveOptions& options) {
    return fit_normal_equations(explicit_moments(source), source.shape().d, options);
}

LeastSquaresFit qr_fit(const MomentSource& source, const SolveOptions& options) {
    return fit_qr(triangular_factor(source), source.shape().d, options);
}

LeastSquaresFit svd_fit(const MomentSource& source, const SolveOptions& options) {
    return fit_svd(triangular_factor(source), source.shape().d, options);
}

LeastSquaresFit literal_fit(const MomentSource& source, const SolveOptions& options) {
    if (options.ridge > 0.0 || options.norm != Norm::sym) {
        LeastSquaresFit fit;
        fit.solver = "literal";
        fit.note = "Algorithm 1 as printed has no ridge and minimises the norm of W";
        return fit;
    }
    return fit_literal(source);
}

constexpr std::array kSolvers{
    Solver{"qr", "streamed Householder QR; error ~ cond(H)", qr_cost, qr_fit},
    Solver{"svd", "streamed QR, then SVD: minimum norm at any rank", svd_cost, svd_fit},
    Solver{"normal", "second moment and Cholesky; error ~ cond(H)^2", normal_cost, normal_fit},
    Solver{"literal",
           "Algorithm 1 as printed, o d^3 unknowns; tiny d only",
           literal_cost,
           literal_fit},
};

/// One streamed factor serves both: triangular solve, or the SVD where the triangle is singular.
LeastSquaresFit fit_auto(const MomentSource& source, const SolveOptions& options) {
    const TriangularFactor factor = triangular_factor(source);
    const Index d = source.shape().d;
    LeastSquaresFit fit = fit_qr(factor, d, options);
    if (fit.status != SolveStatus::refused) {
        fit.note = "auto: numerically full rank, so QR";
        return fit;
    }
    const std::string reason = fit.note;
    fit = fit_svd(factor, d, options);
    fit.note = "auto: " + reason + "; " + fit.note;
    return fit;
}

}  // namespace

std::span<const Solver> solvers() {
    return kSolvers;
}

const Solver& solver_named(std::string_view name) {
    const auto* const found = std::find_if(
        kSolvers.begin(), kSolvers.end(), [&](const Solver& s) { return s.name == name; });
    if (found != kSolvers.end()) {
        return *found;
    }
    std::string names = "auto";
    for (const Solver& solver : kSolvers) {
        names += concat(", ", solver.name);
    }
    throw UnknownName(concat("solver: got '", name, "', expected one of ", names));
}

LeastSquaresFit fit_least_squares(const MomentSource& source,
                                  std::string_view solver,
                                  const SolveOptions& options) {
    const SourceShape shape = source.shape();
    require(shape.num_examples >= 1, "least squares: the data set has no examples");
    require(shape.o >= 1, "least squares: the data set has no labels");
    require(options.ridge >= 0.0, "least squares: the ridge must not be negative");
    if (solver == "auto") {
        return fit_auto(source, options);
    }
    return solver_named(solver).fit(source, options);
}

}  // namespace attest

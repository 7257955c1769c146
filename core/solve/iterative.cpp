#include "core/solve/iterative.hpp"

#include "core/base/bitwise.hpp"
#include "core/solve/accuracy.hpp"
#include "core/solve/spread.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace attest {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Norm of the residual of the augmented problem: what ridge leaves counts.
double augmented_residual(const LeastSquaresProblem& problem,
                          const ConjugateGradientResult& result) {
    const double penalty =
        problem.ridge > 0.0
            ? problem.ridge * (problem.weights.asDiagonal() * result.P).squaredNorm()
            : 0.0;
    return std::sqrt(problem.features.squared_norm(result.residual) + penalty);
}

/// The spread of M⁻¹G, bounded or measured.
HiddenSpread spread_of(const LeastSquaresProblem& problem,
                       const Preconditioner& preconditioner,
                       const ConjugateGradientOptions& control) {
    const double departure = preconditioner.departure;
    return departure < kKnownDeparture ? HiddenSpread{1.0 - departure, 1.0 + departure, 0.0}
                                       : measured_spread(problem, preconditioner.apply, control);
}

/// How far P~ may be from the minimiser: by rounding, and by what iterating left.
struct ErrorParts {
    double rounding = kInfinity;
    double unconverged = kInfinity;
};

ErrorParts error_parts(const SolveCoordinates& coordinates,
                       const LeastSquaresProblem& problem,
                       const ConjugateGradientResult& result,
                       const Preconditioner& preconditioner,
                       const HiddenSpread& spread) {
    const double size = result.P.norm();
    if (!std::isfinite(size)) {
        return {};
    }
    if (is_zero(size) && is_zero(problem.features.squared_norm(problem.labels))) {
        return {0.0, 0.0};
    }
    const Index d = coordinates.L.rows();
    Conditioning conditioning;
    conditioning.condition =
        std::sqrt(std::max(1.0, spread.largest / spread.smallest / preconditioner.rcond));
    conditioning.residual = residual_share(
        augmented_residual(problem, result), problem.features.longest_feature(), size);
    // z~ = L⁻¹ z by substitution is off by d·u·cond(L) (Higham 2002, theorem 8.5), H~ thrice that.
    conditioning.input =
        coordinates.scale > 0.0 ? 0.0 : 3.0 * static_cast<double>(d) * coordinates.token_condition;
    const double least = std::sqrt(preconditioner.norm1 * preconditioner.rcond);
    return {backward_stable_error(problem.features.shape().psi(), conditioning),
            result.gradient / (spread.smallest * least * size)};
}

}  // namespace

double summed_ridge(Index num_examples,
                    const SolveOptions& options,
                    const SolveCoordinates& coordinates) {
    if (!(options.ridge > 0.0)) {
        return 0.0;
    }
    return options.ridge * static_cast<double>(num_examples) / std::pow(coordinates.scale, 6);
}

LeastSquaresFit fit_iteratively(std::string_view solver,
                                const SolveCoordinates& coordinates,
                                const SolveOptions& options,
                                const Preconditioner& preconditioner,
                                const ConjugateGradientOptions& control) {
    return fit_iteratively(solver,
                           FeatureOperator(*coordinates.source),
                           coordinates,
                           options,
                           preconditioner,
                           control);
}

LeastSquaresFit fit_iteratively(std::string_view solver,
                                const FeatureMap& features,
                                const SolveCoordinates& coordinates,
                                const SolveOptions& options,
                                const Preconditioner& preconditioner,
                                const ConjugateGradientOptions& control) {
    const SourceShape shape = features.shape();
    const LeastSquaresProblem problem{features,
                                      features.labels(),
                                      summed_ridge(shape.num_examples, options, coordinates),
                                      norm_weights(shape.layout, options.norm),
                                      preconditioner.cross};
    const HiddenSpread spread = spread_of(problem, preconditioner, control);
    if (!(spread.smallest > 0.0) || !(spread.missed <= kLargestMissed)) {
        return refusal(
            solver,
            formatted("not resolved: a known answer is missed by {}, the features may be deficient",
                      round_trip(spread.missed)));
    }
    const ConjugateGradientResult result =
        conjugate_gradient(problem, preconditioner.apply, control);
    const ErrorParts error = error_parts(coordinates, problem, result, preconditioner, spread);
    if (!(error.unconverged <= error.rounding)) {
        return refusal(solver,
                       formatted("not converged after {} iterations: error {}, rounding allows {}",
                                 result.iterations,
                                 round_trip(error.unconverged),
                                 round_trip(error.rounding)));
    }
    LeastSquaresFit fit;
    fit.solver = solver;
    fit.status = SolveStatus::unique;
    fit.rank = options.ridge > 0.0 ? -1 : shape.psi();
    fit.rcond = std::sqrt(preconditioner.rcond * spread.smallest / spread.largest);
    fit.P = back_to_tokens(result.P, coordinates);
    fit.note = formatted(
        "{}{} iterations", coordinates.scale > 0.0 ? "" : "whitened, ", result.iterations);
    const double growth = error_growth(result.P, fit.P, coordinates);
    return with_error_bound(std::move(fit), growth * (error.rounding + error.unconverged));
}

}  // namespace attest

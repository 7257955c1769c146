#pragma once

#include "core/solve/coordinates.hpp"
#include "core/solve/feature_operator.hpp"

#include <functional>

namespace attest {

/// What preconditioned conjugate gradients are run on: min ‖Y − Pᵀ H‖² + ridge ‖W(P − centre)‖²,
/// columns of P independent of each other. Where the features are a share of all, labels are too.
struct LeastSquaresProblem {
    const FeatureMap& features;
    Matrix labels;       ///< o×N
    double ridge;        ///< of the sum over examples: N times that of SolveOptions
    Vector weights;      ///< W, ψ entries
    Matrix cross;        ///< Σ H yᵀ, ψ×o, the first gradient; empty where it is not at hand
    Matrix centre = {};  ///< what the ridge pulls towards, ψ×o; empty: 0
};

struct ConjugateGradientOptions {
    Index max_iterations = 100;
    Index patience = 2;  ///< iterations in which the gradient must halve at least once
};

/// The best iterate and what is known about it.
struct ConjugateGradientResult {
    Matrix P;
    Matrix residual;        ///< as labels, computed afresh at P
    double gradient = 0.0;  ///< ‖M^{-1/2} ∇‖_F, computed afresh at P
    Index iterations = 0;
    double smallest = 0.0;  ///< extreme Ritz values of M⁻¹(HHᵀ + ridge W²), of the first column: at
    double largest = 0.0;  ///< most, at least the extreme eigenvalues; 0 where there is no step
};

/// Preconditioned CGLS (Björck 1996, §7.4); `precondition` is M⁻¹ applied to ψ×o. Keeps
/// the iterate of least preconditioned gradient, stops when that has stagnated, restarts once from
/// it with an explicit residual. 4Nψo flops an iteration, 3N·o doubles.
[[nodiscard]] ConjugateGradientResult conjugate_gradient(
    const LeastSquaresProblem& problem,
    const std::function<Matrix(const Matrix&)>& precondition,
    const ConjugateGradientOptions& options);

/// M ≈ Σ H Hᵀ + N·ridge·W², symmetric positive definite.
struct Preconditioner {
    std::function<Matrix(const Matrix&)> apply;  ///< M⁻¹ G
    double norm1 = 0.0;                          ///< ‖M‖₁
    double rcond = 0.0;                          ///< 1/cond₁(M)
    Matrix cross;                                ///< Σ H yᵀ, where it came along; else empty
    double departure = 1.0;  ///< bound for ‖M^{-1/2} G M^{-1/2} − I‖₂, G what M stands for; 1 or
                             ///< more: not known, to be measured
};

/// Below it the spread of M⁻¹G follows from the departure; else it has to be measured.
constexpr double kKnownDeparture = 0.5;

/// The ridge of the sum over examples, in the coordinates of the solve.
[[nodiscard]] double summed_ridge(Index num_examples,
                                  const SolveOptions& options,
                                  const SolveCoordinates& coordinates);

/// Preconditioned conjugate gradients in `coordinates`, mapped back. The error bound is that of a
/// backward stable solver with κ² = cond(M) times the spread of M⁻¹G, plus what the gradient that
/// is left may hide. The spread follows from the departure where that is below 1/2, else it is
/// measured (core/solve/accuracy.hpp). Refuses where the iteration does not converge or does not
/// resolve the spread.
[[nodiscard]] LeastSquaresFit fit_iteratively(std::string_view solver,
                                              const SolveCoordinates& coordinates,
                                              const SolveOptions& options,
                                              const Preconditioner& preconditioner,
                                              const ConjugateGradientOptions& control);

/// The same on features in these coordinates that are at hand in another way than by
/// `coordinates.source`, which is not used.
[[nodiscard]] LeastSquaresFit fit_iteratively(std::string_view solver,
                                              const FeatureMap& features,
                                              const SolveCoordinates& coordinates,
                                              const SolveOptions& options,
                                              const Preconditioner& preconditioner,
                                              const ConjugateGradientOptions& control);

}  // namespace attest

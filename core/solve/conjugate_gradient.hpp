#pragma once

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

}  // namespace attest

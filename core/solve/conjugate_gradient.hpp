#pragma once

#include "core/solve/feature_operator.hpp"

#include <functional>

namespace attest {

/// What preconditioned conjugate gradients are run on: min ‖Y − Pᵀ H‖² + ridge ‖W P‖², columns of P
/// independent of each other.
struct LeastSquaresProblem {
    const FeatureOperator& features;
    Matrix labels;   ///< o×N
    double ridge;    ///< of the sum over examples: N times that of SolveOptions
    Vector weights;  ///< W, ψ entries
    Matrix cross;    ///< Σ H yᵀ, ψ×o, the first gradient; empty where it is not at hand
};

struct ConjugateGradientOptions {
    Index max_iterations = 100;
    Index patience = 2;  ///< iterations in which the gradient must halve at least once
};

/// The best iterate and what is known about it.
struct ConjugateGradientResult {
    Matrix P;
    Matrix residual;        ///< o×N, computed afresh at P
    double gradient = 0.0;  ///< ‖M^{-1/2} ∇‖_F, computed afresh at P
    Index iterations = 0;
    double smallest = 1.0;  ///< extreme Ritz values of M⁻¹(HHᵀ + ridge W²), of the heaviest column
    double largest = 1.0;
};

/// Preconditioned CGLS (Björck 1996, §7.4) from P = 0; `precondition` is M⁻¹ applied to ψ×o. Keeps
/// the iterate of least preconditioned gradient, stops when that has stagnated, restarts once from
/// it with an explicit residual. 4Nψo flops an iteration, 3N·o doubles.
[[nodiscard]] ConjugateGradientResult conjugate_gradient(
    const LeastSquaresProblem& problem,
    const std::function<Matrix(const Matrix&)>& precondition,
    const ConjugateGradientOptions& options);

}  // namespace attest

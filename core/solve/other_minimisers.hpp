#pragma once

#include "core/moments/triangular_factor.hpp"
#include "core/rng/stream.hpp"
#include "core/solve/problem.hpp"

namespace attest {

/// What gradient descent is run with. The step is 1/(2 λ_max(Λ)), the largest that never
/// overshoots.
struct GradientDescentOptions {
    Index steps = 1000;
};

/// P after `steps` steps P ← P − η ∇(1/N)Σ‖PᵀH − y‖² from P0 (ψ×o), η = 1/(2λ_max). The iterates of
/// a quadratic have a closed form in the eigenbasis of Λ = RᵀR: the error along eigenvalue λ
/// shrinks by (1 − λ/λ_max)^steps. One SVD of R, O(ψ³), whatever the number of steps. What lies in
/// the null space of Λ stays as it was in P0.
[[nodiscard]] Matrix gradient_descent(const TriangularFactor& factor,
                                      const Matrix& P0,
                                      const GradientDescentOptions& options);

/// An empirical risk minimiser other than the minimum-norm one: P = P_min + N G, N an orthonormal
/// basis (in the coordinates of options.norm) of the numerical null space, G i.i.d. standard normal
/// times `scale`. Equal to the minimum-norm fit when the features have full rank. The rank is the
/// one fit_svd uses. No ridge.
[[nodiscard]] LeastSquaresFit fit_random_erm(const TriangularFactor& factor,
                                             const FeatureLayout& layout,
                                             const SolveOptions& options,
                                             double scale,
                                             const Stream& stream);

}  // namespace attest

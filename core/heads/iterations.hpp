#pragma once

#include "core/heads/fit_target.hpp"
#include "core/rng/stream.hpp"

#include <vector>

namespace attest {

/// A fit with a fixed number of heads.
struct HeadFit {
    HeadFactors factors;
    double residual = 0.0;        ///< ‖L(p̂ − p)‖ / ‖L p‖ by the last projection
    std::vector<double> history;  ///< residuals of the start and of every accepted step
    Index iterations = 0;         ///< steps tried, rejected ones included
    FitEnd end = FitEnd::iterations;
};

/// Variable projection: Levenberg–Marquardt on the Grassmannian of span{Q_h} with V eliminated
/// (Golub and Pereyra 1973), Kaufman's Jacobian −(I − Π) L C_a(V), the GL(H) directions held by a
/// projector, damping by Nielsen's rule. Starts at the row space of Q (H×d²) and never increases
/// the residual. An iteration costs H²d⁶ + H³d⁶/3 flops to leading order, weighted or not.
[[nodiscard]] HeadFit variable_projection(const FitTarget& target,
                                          const Matrix& Q,
                                          const FitControl& control);

/// Smallest over largest eigenvalue of JᵀJ at a fit, J the projected Jacobian on the tangent space
/// of the Grassmannian: 0 when a direction other than GL(H) leaves the residual's first order
/// unchanged. Positive at an exact fit proves W locally unique, up to rounding. O(H³d⁶).
[[nodiscard]] double tangent_rcond(const FitTarget& target, const HeadFactors& factors);

/// Flops of one iteration and bytes held, for the statement before a run.
struct IterationCost {
    double flops = 0.0;
    double bytes = 0.0;
};

[[nodiscard]] IterationCost variable_projection_cost(const FitTarget& target, Index num_heads);

/// A random gauge of P: W = Sym W + A with A antisymmetric in (b,c), ‖A‖_F = ‖Sym W‖_F; (o·d)×d².
/// It computes the same function as P.
[[nodiscard]] Matrix random_gauge(const Matrix& P, Index d, const Stream& stream);

/// Alternating projections between {rank ≤ H} and {W : p(W) = P}, `steps` times from W. Returns the
/// row space's orthonormal basis of the last rank-H matrix (H×d²), a start for a fit. An SVD of
/// (o·d)×d² a step.
[[nodiscard]] Matrix alternating_projections(
    const Matrix& W, const Matrix& P, Index d, Index num_heads, Index steps);

/// Relaxed averaged reflections W ← W + β(Π_P(2Π_H W − W) − Π_H W) between the same two sets, β =
/// ½, at most `steps` times (Douglas–Rachford splitting, Lions and Mercier 1979; relaxed as by
/// Elser 2018). Unlike alternating projections they do not settle where the sets come close without
/// meeting. Returns the row space's orthonormal basis of the last Π_H W (H×d²); ends early when the
/// two projections are within 1e-3‖Sym W‖. An SVD a step.
[[nodiscard]] Matrix averaged_reflections(
    const Matrix& W, const Matrix& P, Index d, Index num_heads, Index steps);

/// Σ_a C_aᵀ K C_a for p_a = C_a(V) vec(Q), the Gauss–Newton matrix of a fit in Q: H·d² square,
/// unknowns Q[h,(c,l)] at position (c·d + l)·H + h (Q is H×d², column-major). K is ψ×ψ symmetric:
/// the identity, Λ, or a projector. Only the lower triangle is filled. With the Gram matrix of V
/// first, it costs H²d⁶ multiply-adds for any o and K, where summing over outputs costs o·H²d⁴·rank
/// K.
[[nodiscard]] Matrix gauss_newton_matrix(const Matrix& V, const Matrix& K, Index d);

/// Σ_a C_aᵀ r_a for a residual r (ψ×o, isometric): H×d², the steepest descent direction in Q.
[[nodiscard]] Matrix head_gradient(const Matrix& V, const Matrix& r, Index d);

}  // namespace attest

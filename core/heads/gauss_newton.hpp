#pragma once

#include "core/heads/fit_target.hpp"

namespace attest {

/// Σ_a C_aᵀ K C_a for p_a = C_a(V) vec(Q), the Gauss–Newton matrix of a fit in Q: H·d² square,
/// unknowns Q[h,(c,l)] at position (c·d + l)·H + h (Q is H×d², column-major). K is ψ×ψ symmetric:
/// the identity, Λ, or a projector. Only the lower triangle is filled. With the Gram matrix of V
/// first, it costs H²d⁶ multiply-adds for any o and K, where summing over outputs costs o·H²d⁴·rank
/// K.
[[nodiscard]] Matrix gauss_newton_matrix(const Matrix& V, const Matrix& K, Index d);

/// Σ_a C_aᵀ r_a for a residual r (ψ×o, isometric): H×d², the steepest descent direction in Q.
[[nodiscard]] Matrix head_gradient(const Matrix& V, const Matrix& r, Index d);

}  // namespace attest

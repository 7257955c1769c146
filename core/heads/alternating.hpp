#pragma once

#include "core/heads/variable_projection.hpp"
#include "core/rng/stream.hpp"

namespace attest {

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

}  // namespace attest

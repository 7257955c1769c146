#pragma once

#include "core/solve/problem.hpp"

namespace attest {

/// Fewer examples than features: P = Σ α_i H(Z_i) in the coordinates of options.norm, from the
/// kernel K = ⟨S_i,S_j⟩⟨z_i,z_j⟩ (N×N, features never formed), Cholesky, and refinement with the
/// residual of the features. Minimum norm without ridge, N ≤ ψ then; the ridge minimiser with.
/// N²q + N³/3 flops, 32N² bytes and the moments. Error as of a backward stable solver while
/// cond(K) < 1/ε; refuses beyond.
[[nodiscard]] LeastSquaresFit fit_dual(const MomentSource& source, const SolveOptions& options);

}  // namespace attest

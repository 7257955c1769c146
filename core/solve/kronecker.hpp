#pragma once

#include "core/solve/problem.hpp"

namespace attest {

/// Conjugate gradients on the features, preconditioned by (Σ s sᵀ) ⊗ (Σ z zᵀ)/N: nothing of size ψ²
/// anywhere. Coordinates and error as gram64; about 46 to 170 iterations of 4Nψo flops on
/// well-conditioned data, refuses when more than 2000 do not suffice. 16q² bytes and the moments.
[[nodiscard]] LeastSquaresFit fit_kronecker(const MomentSource& source,
                                            const SolveOptions& options);

}  // namespace attest

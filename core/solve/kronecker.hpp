#pragma once

#include "core/solve/iterative.hpp"
#include "core/solve/kronecker_factors.hpp"

namespace attest {

/// Conjugate gradients on the features, preconditioned by (Σ s sᵀ) ⊗ (Σ z zᵀ)/N: nothing of size ψ²
/// anywhere. Coordinates and error as gram64; about 46 to 170 iterations of
/// 4Nψ(o + 3) flops on well-conditioned data, refuses when more than 2000 do not suffice. 16q²
/// bytes and the moments.
[[nodiscard]] LeastSquaresFit fit_kronecker(const MomentSource& source,
                                            const SolveOptions& options);

/// (Σ s sᵀ) ⊗ (Σ z zᵀ)/N of N examples from its factors, which must outlive it.
[[nodiscard]] Preconditioner kronecker_preconditioner(const KroneckerFactors& factors, Index N);

}  // namespace attest

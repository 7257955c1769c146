#pragma once

#include "core/algebra/lapack.hpp"
#include "core/data/moment_source.hpp"

namespace attest {

/// A_s = Σ s sᵀ and A_u = Σ u uᵀ, factored: their Kronecker product stands for Σ H Hᵀ.
struct KroneckerFactors {
    CholeskyFactor s;
    CholeskyFactor u;
    double norm1 = 0.0;  ///< of their Kronecker product

    /// Whether either Cholesky factor may be that of another matrix altogether.
    [[nodiscard]] bool singular_to_rounding() const;

    /// (A_s ⊗ A_u)⁻¹ g for every column g of G, read as the m×q matrix with entry (l, p).
    [[nodiscard]] Matrix solve(const Matrix& G) const;
};

/// From the lower triangles of A_s and A_u. (q³ + m³)/3 flops.
[[nodiscard]] KroneckerFactors kronecker_factors(const Matrix& ss, const Matrix& uu);

/// Those of all examples, in one pass.
[[nodiscard]] KroneckerFactors kronecker_factors(const MomentSource& source);

}  // namespace attest

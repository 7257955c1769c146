#pragma once

#include "core/algebra/matrix.hpp"

namespace attest {

/// Position of entry (i, j), i ≥ j, of an n×n lower triangle in LAPACK's rectangular full packed
/// format (TRANSR = 'N', UPLO = 'L'): n(n+1)/2 entries that BLAS 3 works on. Gustavson, Waśniewski,
/// Dongarra, Langou 2010.
[[nodiscard]] constexpr Index rectangular_packed_index(Index n, Index i, Index j) {
    const Index even = n % 2 == 0 ? 1 : 0;
    const Index half = (n + 1) / 2;
    const Index ld = n + even;
    return j < half ? i + even + j * ld : (j - half) + (i - half + 1 - even) * ld;
}

/// A = L Lᵀ in rectangular full packed format, or the news that A is not numerically positive
/// definite. Half the memory of a full matrix. Scalar is double or float.
template <class Scalar>
struct PackedCholeskyOf {
    VectorOf<Scalar> L;  ///< n(n+1)/2 entries
    Index n = 0;
    bool positive = false;  ///< false: L must not be used
    double norm1 = 0.0;     ///< ‖A‖₁
    double rcond = 0.0;     ///< estimate of 1/cond₁(A), 0 when not positive

    /// A⁻¹ B; B is n×k. 2n²k flops.
    [[nodiscard]] MatrixOf<Scalar> solve(const MatrixOf<Scalar>& B) const;
};

/// Factors A (n×n, packed) in place: pass an rvalue to save the copy. n³/3 flops. ‖A⁻¹‖₁ by Hager's
/// method, a lower bound that is rarely off by more than a factor of 3 (Higham 2002, §15.3).
template <class Scalar>
[[nodiscard]] PackedCholeskyOf<Scalar> packed_cholesky(VectorOf<Scalar> A, Index n);

/// ‖A‖₁ of a packed symmetric matrix.
template <class Scalar>
[[nodiscard]] double packed_norm1(const VectorOf<Scalar>& A, Index n);

extern template struct PackedCholeskyOf<double>;
extern template struct PackedCholeskyOf<float>;
extern template PackedCholeskyOf<double> packed_cholesky(Vector, Index);
extern template PackedCholeskyOf<float> packed_cholesky(VectorOf<float>, Index);
extern template double packed_norm1(const Vector&, Index);
extern template double packed_norm1(const VectorOf<float>&, Index);

// What packed_cholesky asks of LAPACK or Eigen. A and L: n×n lower triangles, rectangular full
// packed.

/// Overwrites A by its Cholesky factor; false when a pivot is not positive.
[[nodiscard]] bool factor_packed(Vector& A, Index n);
[[nodiscard]] bool factor_packed(VectorOf<float>& A, Index n);

/// Overwrites B (n×k) by (L Lᵀ)⁻¹ B.
void solve_packed(const Vector& L, Matrix& B);
void solve_packed(const VectorOf<float>& L, MatrixOf<float>& B);

}  // namespace attest

#pragma once

#include "core/algebra/matrix.hpp"

namespace attest {

/// min ‖A X − B‖_F with its range: what alternating and projected fits need of a solve.
struct LeastSquares {
    Matrix basis;     ///< m×k, orthonormal columns spanning the numerical range of A
    Matrix solution;  ///< n×p; of least norm when A is numerically rank deficient
    double rcond;     ///< 1/cond₁(R) by QR; by SVD σ_min/σ_max, 0 when rank A < min(m, n)
};

/// Householder QR; SVD with singular values up to n·ε·σ_max dropped when m < n or 1/cond₁(R) is
/// below n·ε. A is m×n, B is m×p. About 4mn² flops.
[[nodiscard]] LeastSquares least_squares(const Matrix& A, const Matrix& B);

}  // namespace attest

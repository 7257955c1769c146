#pragma once

#include "core/algebra/matrix.hpp"

namespace attest {

// What packed_cholesky asks of LAPACK or Eigen. A and L: n×n lower triangles, rectangular full
// packed.

/// Overwrites A by its Cholesky factor; false when a pivot is not positive.
[[nodiscard]] bool factor_packed(Vector& A, Index n);
[[nodiscard]] bool factor_packed(VectorOf<float>& A, Index n);

/// Overwrites B (n×k) by (L Lᵀ)⁻¹ B.
void solve_packed(const Vector& L, Matrix& B);
void solve_packed(const VectorOf<float>& L, MatrixOf<float>& B);

}  // namespace attest

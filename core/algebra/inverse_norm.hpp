#pragma once

#include "core/algebra/matrix.hpp"

#include <functional>

namespace attest {

/// Lower bound for ‖A⁻¹‖₁ of a symmetric n×n matrix known by solve(B) = A⁻¹ B, n ≥ 1, from a few
/// solves (Hager 1984; the last trial vector is Higham's). Rarely off by more than a factor of 3
/// (Higham 2002, §15.3).
template <class Scalar>
[[nodiscard]] double inverse_norm1(
    Index n, const std::function<MatrixOf<Scalar>(const MatrixOf<Scalar>&)>& solve);

extern template double inverse_norm1<double>(Index, const std::function<Matrix(const Matrix&)>&);
extern template double inverse_norm1<float>(
    Index, const std::function<MatrixOf<float>(const MatrixOf<float>&)>&);

}  // namespace attest

#pragma once

#include "core/algebra/matrix.hpp"
#include "core/exact/reals.hpp"
#include "core/model/parameters.hpp"

namespace attest {

/// Steps (iii) and (iv) of Algorithm 1 in any floating scalar: W = A Bᵀ by Jacobi's SVD, the
/// singular values split evenly, V_h = Fold(A_h), Q_h = Fold(B_h). W is (o·d)×d². Shares no code
/// with split_heads, which uses LAPACK.
template <class Scalar>
[[nodiscard]] ParametersOf<Scalar> singular_heads(const MatrixOf<Scalar>& W, Index d);

extern template ParametersOf<double> singular_heads<double>(const Matrix&, Index);
extern template ParametersOf<Real50> singular_heads<Real50>(const MatrixOf<Real50>&, Index);
extern template ParametersOf<Real100> singular_heads<Real100>(const MatrixOf<Real100>&, Index);

}  // namespace attest

#pragma once

#include "core/algebra/matrix.hpp"
#include "core/base/error.hpp"

#include <cstdint>

namespace attest {

/// Matrices, maps and blocks whose columns lie apart by any stride, without a copy.
template <class Scalar>
using View = Eigen::Ref<MatrixOf<Scalar>, 0, Eigen::OuterStride<>>;

template <class Scalar>
using ConstView = Eigen::Ref<const MatrixOf<Scalar>, 0, Eigen::OuterStride<>>;

/// How a factor enters a product.
enum class Transpose : std::uint8_t { no, yes };

/// C += op(A) op(B) (BLAS gemm, in the scalar's precision). op(A) is m×k, op(B) is k×n, C is m×n
/// and overlaps neither. 2mkn flops. Scalar is float or double. Throws InvalidInput when the shapes
/// do not match.
template <class Scalar>
void accumulate_product(View<Scalar> C,
                        ConstView<Scalar> A,
                        Transpose transpose_A,
                        ConstView<Scalar> B,
                        Transpose transpose_B);

extern template void accumulate_product<float>(
    View<float>, ConstView<float>, Transpose, ConstView<float>, Transpose);
extern template void accumulate_product<double>(
    View<double>, ConstView<double>, Transpose, ConstView<double>, Transpose);

/// The number k of products in an entry of op(A) op(B), once C fits. Throws InvalidInput when the
/// shapes do not match.
template <class Scalar>
[[nodiscard]] Index inner_size(const View<Scalar>& C,
                               const ConstView<Scalar>& A,
                               Transpose transpose_A,
                               const ConstView<Scalar>& B,
                               Transpose transpose_B) {
    const bool turn_A = transpose_A == Transpose::yes;
    const bool turn_B = transpose_B == Transpose::yes;
    const Index k = turn_A ? A.rows() : A.cols();
    require(C.rows() == (turn_A ? A.cols() : A.rows()) && k == (turn_B ? B.cols() : B.rows()) &&
                C.cols() == (turn_B ? B.rows() : B.cols()),
            "accumulate_product: the shapes do not match");
    return k;
}

}  // namespace attest

#pragma once

#include "core/algebra/product.hpp"
#include "core/base/error.hpp"

namespace attest {

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

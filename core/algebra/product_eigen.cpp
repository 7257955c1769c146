#include "core/algebra/product.hpp"
#include "core/base/error.hpp"

namespace attest {

template <class Scalar>
void accumulate_product(View<Scalar> C,
                        ConstView<Scalar> A,
                        Transpose transpose_A,
                        ConstView<Scalar> B,
                        Transpose transpose_B) {
    const bool turn_A = transpose_A == Transpose::yes;
    const bool turn_B = transpose_B == Transpose::yes;
    require(C.rows() == (turn_A ? A.cols() : A.rows()) &&
                (turn_A ? A.rows() : A.cols()) == (turn_B ? B.cols() : B.rows()) &&
                C.cols() == (turn_B ? B.rows() : B.cols()),
            "accumulate_product: the shapes do not match");
    if (turn_A && turn_B) {
        C.noalias() += A.transpose() * B.transpose();
    } else if (turn_A) {
        C.noalias() += A.transpose() * B;
    } else if (turn_B) {
        C.noalias() += A * B.transpose();
    } else {
        C.noalias() += A * B;
    }
}

template void accumulate_product<float>(
    View<float>, ConstView<float>, Transpose, ConstView<float>, Transpose);
template void accumulate_product<double>(
    View<double>, ConstView<double>, Transpose, ConstView<double>, Transpose);

}  // namespace attest

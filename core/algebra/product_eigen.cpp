#include "core/algebra/product.hpp"

namespace attest {

template <class Scalar>
void accumulate_product(View<Scalar> C,
                        ConstView<Scalar> A,
                        Transpose transpose_A,
                        ConstView<Scalar> B,
                        Transpose transpose_B) {
    const bool turn_A = transpose_A == Transpose::yes;
    const bool turn_B = transpose_B == Transpose::yes;
    if (inner_size<Scalar>(C, A, transpose_A, B, transpose_B) == 0) {
        return;
    }
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

#include "core/algebra/lapacke_call.hpp"
#include "core/algebra/product.hpp"

#include <cblas.h>

#include <type_traits>

namespace attest {

namespace {

CBLAS_TRANSPOSE flag(Transpose transpose) {
    return transpose == Transpose::yes ? CblasTrans : CblasNoTrans;
}

}  // namespace

template <class Scalar>
void accumulate_product(View<Scalar> C,
                        ConstView<Scalar> A,
                        Transpose transpose_A,
                        ConstView<Scalar> B,
                        Transpose transpose_B) {
    const Index k = inner_size<Scalar>(C, A, transpose_A, B, transpose_B);
    if (C.size() == 0 || k == 0) {
        return;
    }
    constexpr auto kGemm = [] {
        if constexpr (std::is_same_v<Scalar, float>) {
            return cblas_sgemm;
        } else {
            return cblas_dgemm;
        }
    }();
    kGemm(CblasColMajor,
          flag(transpose_A),
          flag(transpose_B),
          lapack_size(C.rows()),
          lapack_size(C.cols()),
          lapack_size(k),
          Scalar(1),
          A.data(),
          lapack_size(A.outerStride()),
          B.data(),
          lapack_size(B.outerStride()),
          Scalar(1),
          C.data(),
          lapack_size(C.outerStride()));
}

template void accumulate_product<float>(
    View<float>, ConstView<float>, Transpose, ConstView<float>, Transpose);
template void accumulate_product<double>(
    View<double>, ConstView<double>, Transpose, ConstView<double>, Transpose);

}  // namespace attest

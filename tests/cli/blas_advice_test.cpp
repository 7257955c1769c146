#include "cli/blas_advice.hpp"

#include <gtest/gtest.h>

namespace attest::cli {
namespace {

TEST(BlasAdvice, NamesTheKernelThatUsesTheProcessorsVectors) {
    EXPECT_EQ(blas_advice("Prescott", Isa::avx512),
              "OpenBLAS answers with its kernels for Prescott, this processor has avx512: set "
              "OPENBLAS_CORETYPE=SkylakeX");
    EXPECT_EQ(blas_advice("Sandybridge", Isa::avx2),
              "OpenBLAS answers with its kernels for Sandybridge, this processor has avx2: set "
              "OPENBLAS_CORETYPE=Haswell");
}

TEST(BlasAdvice, IsSilentWhereNothingIsLostOrTheNameIsUnknown) {
    EXPECT_EQ(blas_advice("Haswell", Isa::avx2), "");
    EXPECT_EQ(blas_advice("Cooperlake", Isa::avx512), "");
    EXPECT_EQ(blas_advice("Prescott", Isa::portable), "");
    EXPECT_EQ(blas_advice("", Isa::avx512), "");
}

}  // namespace
}  // namespace attest::cli

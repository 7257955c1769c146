#include "core/features/model_coefficients.hpp"

#include <gtest/gtest.h>

namespace attest {
namespace {

TEST(ModelCoefficients, AreTheFilesOwnBeforeThoseOfItsHeads) {
    // One head with V = 2 and Q = 3, d = o = 1: p = 6.
    const Head head{Matrix::Constant(1, 1, 2.0), Matrix::Constant(1, 1, 3.0)};
    const Model heads{1, 1, Matrix(), {1, 1, {head}}, ""};
    const Model both{1, 1, Matrix::Constant(1, 1, 5.0), {1, 1, {head}}, ""};

    EXPECT_EQ(coefficients(heads, "m.npz"), Matrix::Constant(1, 1, 6.0));
    EXPECT_EQ(coefficients(both, "m.npz"), Matrix::Constant(1, 1, 5.0));
}

}  // namespace
}  // namespace attest

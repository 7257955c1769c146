#include "core/data/exponent_range.hpp"

#include <gtest/gtest.h>

namespace attest {
namespace {

TEST(ExponentRange, HoldsTheBinaryExponentsOfTheNonzeroEntries) {
    Matrix A(2, 2);
    A << 0.0, -3.0, 0x1p-1074, 8.0;

    const ExponentRange range = exponent_range(A);

    EXPECT_EQ(range.low, -1074);
    EXPECT_EQ(range.high, 3);
    EXPECT_TRUE(range.within(-1074, 3));
    EXPECT_FALSE(range.within(-1073, 3));
    EXPECT_FALSE(range.within(-1074, 2));
}

TEST(ExponentRange, OfZerosIsEmptyAndWithinEverything) {
    EXPECT_TRUE(exponent_range(Matrix::Zero(2, 3)).empty());
    EXPECT_TRUE(exponent_range(Matrix(0, 0)).empty());
    EXPECT_TRUE(exponent_range(Matrix::Zero(1, 1)).within(0, 0));
}

}  // namespace
}  // namespace attest

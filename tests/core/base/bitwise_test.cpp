#include "core/base/bitwise.hpp"

#include <gtest/gtest.h>

#include <limits>

using attest::bitwise_equal;
using attest::is_zero;

namespace {

constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();
constexpr double kTiny = std::numeric_limits<double>::denorm_min();

TEST(BitwiseEqual, ComparesBitsNotValues) {
    EXPECT_TRUE(bitwise_equal(0.1, 0.1));
    EXPECT_TRUE(bitwise_equal(kNotANumber, kNotANumber));
    EXPECT_FALSE(bitwise_equal(0.0, -0.0));
    EXPECT_FALSE(bitwise_equal(0.3, 0.1 + 0.2));
}

TEST(IsZero, HoldsForBothZerosAndNothingElse) {
    EXPECT_TRUE(is_zero(0.0));
    EXPECT_TRUE(is_zero(-0.0));
    EXPECT_FALSE(is_zero(kTiny));
    EXPECT_FALSE(is_zero(-kTiny));
    EXPECT_FALSE(is_zero(kNotANumber));
}

}  // namespace

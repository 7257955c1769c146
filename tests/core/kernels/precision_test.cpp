#include "core/kernels/precision.hpp"

#include "core/base/error.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace attest {
namespace {

TEST(Precision, HasAUnitRoundoffOfHalfAUnitInTheLastPlace) {
    EXPECT_EQ(unit_roundoff(Precision::bf16), 0x1p-8);
    EXPECT_EQ(unit_roundoff(Precision::fp16), 0x1p-11);
    EXPECT_EQ(unit_roundoff(Precision::fp32),
              static_cast<double>(std::numeric_limits<float>::epsilon()) / 2.0);
    EXPECT_EQ(unit_roundoff(Precision::fp64), std::numeric_limits<double>::epsilon() / 2.0);
}

TEST(Precision, RoundsToTheNearestNumberTiesToEven) {
    EXPECT_EQ(rounded(Precision::bf16, 1.0 + 0x1p-8), 1.0);
    EXPECT_EQ(rounded(Precision::bf16, 1.0 + 3 * 0x1p-8), 1.0 + 0x1p-6);
    EXPECT_EQ(rounded(Precision::bf16, -(1.0 + 0x1.1p-8)), -(1.0 + 0x1p-7));
    EXPECT_EQ(rounded(Precision::fp16, 65519.0), 65504.0);
    EXPECT_EQ(rounded(Precision::fp16, -65520.0), -std::numeric_limits<double>::infinity());
    EXPECT_EQ(rounded(Precision::fp16, 0x1.8p-24), 0x1p-23);
    EXPECT_EQ(rounded(Precision::fp64, 0.1), 0.1);
}

TEST(Precision, RoundsToFloatAsTheProcessorDoes) {
    for (int i = 1; i < 2000; ++i) {
        const double value = std::ldexp(std::sin(i), i % 300 - 160);
        EXPECT_EQ(rounded(Precision::fp32, value), static_cast<double>(static_cast<float>(value)));
    }
}

TEST(Precision, NamesReadBack) {
    for (const std::string& name : precision_names()) {
        EXPECT_EQ(to_string(precision_named(name)), name);
    }
    EXPECT_THROW((void)precision_named("fp8"), UnknownName);
}

}  // namespace
}  // namespace attest

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
    EXPECT_EQ(unit_roundoff(Precision::tf32), 0x1p-10) << "its bits are dropped";
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

TEST(Precision, DropsTheBitsThatTf32DoesNotKeep) {
    EXPECT_EQ(rounded(Precision::tf32, 1.0 + 0x1p-10), 1.0 + 0x1p-10);
    EXPECT_EQ(rounded(Precision::tf32, 1.0 + 0x1.fp-10), 1.0 + 0x1p-10);
    EXPECT_EQ(rounded(Precision::tf32, -(1.0 + 0x1.fp-11)), -1.0);
    EXPECT_EQ(rounded(Precision::tf32, 1e30), std::ldexp(std::trunc(std::ldexp(1e30, -89)), 89));
}

/// Of mantissas that follow Benford's law, on average over 10⁵ of them.
TEST(Precision, SaysHowMuchIsLostOnAverage) {
    constexpr int kNumbers = 100000;
    for (const Precision precision : {Precision::tf32, Precision::bf16}) {
        double lost = 0.0;
        double squares = 0.0;
        for (int i = 0; i < kNumbers; ++i) {
            const double value = std::exp2((i + 0.5) / kNumbers);
            const double change = 1.0 - rounded(precision, value) / value;
            lost += change / kNumbers;
            squares += change * change / kNumbers;
        }
        const MeanRounding mean = mean_rounding(precision);
        EXPECT_NEAR(lost, mean.bias, 0.01 * mean.unit) << to_string(precision);
        const double of_mean = mean.bias * mean.bias + mean.unit * mean.unit / 3.0;
        EXPECT_GT(of_mean, 0.9 * squares) << to_string(precision);
        EXPECT_LT(of_mean, 2.0 * squares) << to_string(precision);
    }
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
    for (const std::string& name : stored_precision_names()) {
        EXPECT_EQ(stored_precision_named(name), precision_named(name));
    }
    EXPECT_THROW((void)stored_precision_named("tf32"), UnknownName) << "nothing is stored in it";
}

}  // namespace
}  // namespace attest

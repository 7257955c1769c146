#include "bench/experiments/frame/power_law.hpp"

#include "core/base/error.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace attest {
namespace {

/// Logarithms up to log 768, rounded, and the normal equations of a line through points a factor 2
/// apart: (6.7/0.7)² ≈ 92 roundings, a few times.
constexpr double kRounding = 8.0 * 92.0 * 0x1p-53;

TEST(PowerLaw, ThroughThreeTimesTheSquareIsFoundAgain) {
    const PowerLaw law = fit_power_law({2.0, 4.0, 8.0, 16.0}, {12.0, 48.0, 192.0, 768.0});

    EXPECT_LT(std::abs(law.exponent - 2.0), kRounding);
    EXPECT_LT(std::abs(law.log_constant - std::log(3.0)), kRounding);
    EXPECT_LT(std::abs(law.at(5.0) / 75.0 - 1.0), 4.0 * kRounding);
    EXPECT_EQ(law.first, 2.0);
}

TEST(PowerLaw, IsTheLineOfLeastSquaresInLogarithms) {
    // Logarithms 0, 1, 2 → 0, 3, 0: slope 0 and level 1.
    const double e = std::exp(1.0);
    const PowerLaw law = fit_power_law({1.0, e, e * e}, {1.0, e * e * e, 1.0});

    EXPECT_LT(std::abs(law.exponent), kRounding);
    EXPECT_LT(std::abs(law.log_constant - 1.0), kRounding);
}

TEST(PowerLaw, NeedsTwoPoints) {
    EXPECT_THROW((void)fit_power_law({1.0}, {1.0}), BrokenInvariant);
}

}  // namespace
}  // namespace attest

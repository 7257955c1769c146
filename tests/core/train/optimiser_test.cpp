#include "core/train/optimiser.hpp"

#include "core/base/error.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace attest {
namespace {

Vector one(double value) {
    return Vector::Constant(1, value);
}

TEST(Optimiser, MomentumTakesStepsOneCanRedoOnPaper) {
    OptimiserOptions options{.kind = OptimiserKind::sgd, .rate = 0.5, .momentum = 0.5};
    Optimiser<double> optimiser(options, 1);

    // m = 2; θ = 1 − 0.5·2 = 0. m = 0.5·2 + 4 = 5; half the rate: θ = 0 − 0.25·5.
    const Vector first = optimiser.step(one(1.0), one(2.0), 1.0);
    const Vector second = optimiser.step(first, one(4.0), 0.5);

    EXPECT_EQ(first, one(0.0));
    EXPECT_EQ(second, one(-1.25));
}

OptimiserOptions paper_options(OptimiserKind kind) {
    return {.kind = kind,
            .rate = 0.125,
            .beta1 = 0.5,
            .beta2 = 0.75,
            .epsilon = 0.0,
            .weight_decay = 2.0};
}

TEST(Optimiser, AdamTakesStepsOneCanRedoOnPaper) {
    Optimiser<double> optimiser(paper_options(OptimiserKind::adam), 1);

    // m = 1, v = 1, unbiased 2 and 4: a step of 2/√4 = 1 rate. Then m = 1/2 − 1 = −1/2 and
    // v = 3/4 + 1 = 7/4, unbiased −(1/2)/(3/4) = −2/3 and (7/4)/(7/16) = 4: −1/3 of the rate.
    const Vector first = optimiser.step(one(1.0), one(2.0), 1.0);
    const Vector second = optimiser.step(first, one(-2.0), 1.0);

    EXPECT_EQ(first, one(0.875));
    // Ten operations, each within u of numbers up to 1.
    EXPECT_LT(std::abs(second(0) - (0.875 + 0.125 / 3.0)), 10 * 0x1p-53);
}

TEST(Optimiser, AdamWShrinksTheParametersOutsideTheMoments) {
    Optimiser<double> optimiser(paper_options(OptimiserKind::adamw), 1);

    // θ(1 − 0.125·2) − 0.125.
    EXPECT_EQ(optimiser.step(one(1.0), one(2.0), 1.0), one(0.625));
    // The schedule's factor is part of the rate: θ(1 − 0.0625·2) − 0.0625.
    Optimiser<double> slower(paper_options(OptimiserKind::adamw), 1);
    EXPECT_EQ(slower.step(one(1.0), one(2.0), 0.5), one(0.8125));
}

TEST(Optimiser, EpsilonIsAddedToTheRoot) {
    OptimiserOptions options = paper_options(OptimiserKind::adam);
    options.epsilon = 2.0;
    Optimiser<double> optimiser(options, 1);

    // 2/(√4 + 2) = 1/2.
    EXPECT_EQ(optimiser.step(one(1.0), one(2.0), 1.0), one(0.9375));
}

TEST(Optimiser, SinglePrecisionTakesTheSameStep) {
    Optimiser<float> optimiser(paper_options(OptimiserKind::adam), 1);
    const VectorOf<float> theta =
        optimiser.step(VectorOf<float>::Constant(1, 1.0F), VectorOf<float>::Constant(1, 2.0F), 1.0);

    EXPECT_EQ(theta(0), 0.875F);
}

TEST(Optimiser, RefusesARateOfZeroAndADecayOfOne) {
    EXPECT_REFUSED("optimiser: got rate 0", Optimiser<double>({.rate = 0.0}, 1));
    EXPECT_REFUSED("optimiser: got decay 1", Optimiser<double>({.beta2 = 1.0}, 1));
}

TEST(Schedule, CosineFallsFromOneToZero) {
    EXPECT_EQ(rate_factor(Schedule::constant, 7, 8), 1.0);
    EXPECT_EQ(rate_factor(Schedule::cosine, 0, 8), 1.0);
    EXPECT_LT(std::abs(rate_factor(Schedule::cosine, 4, 8) - 0.5), 0x1p-52);
    EXPECT_LT(std::abs(rate_factor(Schedule::cosine, 6, 8) - (0.5 - std::sqrt(0.125))), 0x1p-51);
    EXPECT_GT(rate_factor(Schedule::cosine, 7, 8), 0.0);
    EXPECT_THROW((void)rate_factor(Schedule::cosine, 8, 8), InvalidInput);
}

}  // namespace
}  // namespace attest

#include "core/distil/ridge_choice.hpp"

#include "core/base/error.hpp"
#include "core/distil/distil.hpp"
#include "tests/core/distil/softmax_problems.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace attest {
namespace {

using test::random_softmax;
using test::softmax_data;

/// psi = 80 features (affine, d = 4) of about as many examples: least squares overfits.
Dataset few(Index count, Index seed) {
    return softmax_data(random_softmax(4, 1, 2, 3), "affine", 6, count, seed);
}

TEST(RidgeChoice, TheBestIsTheLeastRiskAndOfEqualOnesTheLargest) {
    EXPECT_EQ(best_ridge({{1.0, 0.5}, {2.0, 0.25}, {3.0, 0.25}, {4.0, 0.3}}).ridge, 3.0);
}

TEST(RidgeChoice, TriesStepsOfAHundredAndThenOfTenAroundTheBest) {
    const std::vector<TriedRidge> tried = try_ridges(few(100, 0), {});
    ASSERT_EQ(tried.size(), 9U);
    EXPECT_NEAR(tried[1].ridge / tried[0].ridge, 100.0, 1e-9);
    EXPECT_NEAR(tried[8].ridge / tried[7].ridge, 100.0, 1e-9) << "on either side of the best";
}

TEST(RidgeChoice, ARidgeByHeldBackDataIsBetterElsewhereWhereExamplesAreFew) {
    const Dataset data = few(90, 0);
    const Dataset held_out = few(2000, 1);
    DistilRequest request;
    request.contenders.starts = 0;

    const Distilled plain = distil(data, &held_out, request);
    EXPECT_TRUE(plain.fits_the_data_too_well());
    EXPECT_FALSE(plain.ridge);
    request.ridge_by = RidgeBy::held_back;
    const Distilled chosen = distil(data, &held_out, request);
    ASSERT_TRUE(chosen.ridge);
    EXPECT_LT(chosen.ridge->held_out->relative, plain.held_out->relative / 2.0);
    EXPECT_GT(chosen.ridge->train.relative, plain.train.relative);
    EXPECT_EQ(chosen.train.relative, plain.train.relative) << "the floor's own fit stays";

    request.ridge_by = RidgeBy::number;
    request.ridge = chosen.ridge->ridge;
    EXPECT_EQ(distil(data, &held_out, request).ridge->train.relative, chosen.ridge->train.relative);
}

TEST(RidgeChoice, ManyExamplesNeedNoWarning) {
    const Dataset data = few(800, 0);
    const Dataset held_out = few(400, 1);
    DistilRequest request;
    request.contenders.starts = 0;
    EXPECT_FALSE(distil(data, &held_out, request).fits_the_data_too_well());
}

TEST(RidgeChoice, RefusesOneSequence) {
    EXPECT_NE(test::invalid_input_message([] { (void)try_ridges(few(1, 0), {}); }).find("one"),
              std::string::npos);
}

}  // namespace
}  // namespace attest

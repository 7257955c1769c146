#include "core/model/round.hpp"

#include "tests/support/error_message.hpp"
#include "tests/support/problems.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace attest {
namespace {

TEST(RoundOneHot, PicksTheLargestEntryNotTheLargestMagnitude) {
    EXPECT_EQ(round_one_hot<double>(Vector({{-5, 0.25, 0.5}})), Vector({{0, 0, 1}}));
}

TEST(RoundOneHot, PicksTheFirstOfEqualMaxima) {
    EXPECT_EQ(round_one_hot<double>(Vector({{0, 2, 2}})), Vector({{0, 1, 0}}));
    EXPECT_EQ(round_one_hot<double>(Vector::Zero(3)), Vector({{1, 0, 0}}));
}

RC_GTEST_PROP(RoundOneHot, FixesOneHotVectorsAndNothingElse, ()) {
    const Index d = test::draw_index(1, 5);
    const Vector v = test::draw_integers(d, 1);
    const Vector rounded = round_one_hot<double>(v);

    RC_ASSERT(round_one_hot<double>(rounded) == rounded);
    RC_ASSERT(rounded.sum() == 1.0);
    RC_ASSERT(rounded.dot(v) == v.maxCoeff());
}

TEST(RoundOneHot, RefusesAnEmptyVector) {
    EXPECT_EQ(test::invalid_input_message([] { (void)round_one_hot<double>(Vector(0)); }),
              "round_one_hot: the vector is empty");
}

}  // namespace
}  // namespace attest

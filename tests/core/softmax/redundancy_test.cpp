#include "core/softmax/redundancy.hpp"

#include "core/softmax/pipeline.hpp"
#include "core/softmax/recovery.hpp"
#include "tests/core/softmax/planted.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace attest {
namespace {

using test::Planted;
using test::setting;

double without_a_head(const Planted& planted, const SoftmaxHeads& heads) {
    return error_without_a_head(heads, planted.source().draw(0, 300), planted.held_out());
}

TEST(ErrorWithoutAHead, IsLargeForDistinctHeads) {
    const Planted planted(setting(TokenLaw::gaussian, 4, 2, 2, 3.0), 300, 1);

    EXPECT_GT(without_a_head(planted, planted.heads()), kNetSuccess);
}

TEST(ErrorWithoutAHead, IsRoundingWhereOneHasNoValues) {
    const Planted planted(setting(TokenLaw::gaussian, 4, 2, 2, 3.0), 300, 2);
    SoftmaxHeads heads = planted.heads();
    heads.push_back({Matrix::Identity(4, 4), Matrix::Zero(4, 4)});

    EXPECT_LT(without_a_head(planted, heads), kExactSuccess);
}

TEST(ErrorWithoutAHead, IsRoundingWhereTwoStandForOne) {
    const Planted planted(setting(TokenLaw::gaussian, 4, 2, 2, 3.0), 300, 3);
    SoftmaxHeads heads = planted.heads();
    // As far apart as a polished fit can leave them.
    const Matrix shift = 3e-7 * Matrix::Identity(4, 4);
    heads.push_back({heads[0].Theta + shift, 0.5 * heads[0].W});
    heads[0].Theta -= shift;
    heads[0].W *= 0.5;

    EXPECT_LT(without_a_head(planted, heads), kExactSuccess);
}

TEST(ErrorWithoutAHead, IsInfiniteForASingleHead) {
    const Planted planted(setting(TokenLaw::gaussian, 4, 2, 1, 3.0), 300, 4);

    EXPECT_TRUE(std::isinf(without_a_head(planted, planted.heads())));
}

TEST(OutcomeAgainst, PlantedHeadsIsNeverRecoveredInAnotherNumber) {
    const SoftmaxHeads one(1);
    const SoftmaxHeads two(2);

    EXPECT_EQ(outcome_against(SoftmaxOutcome::recovered, two, two), SoftmaxOutcome::recovered);
    EXPECT_EQ(outcome_against(SoftmaxOutcome::recovered, one, two), SoftmaxOutcome::predicts);
    EXPECT_EQ(outcome_against(SoftmaxOutcome::recovered_by_polish, one, two),
              SoftmaxOutcome::failed);
}

}  // namespace
}  // namespace attest

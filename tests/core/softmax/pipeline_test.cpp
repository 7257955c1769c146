#include "core/softmax/pipeline.hpp"

#include "core/base/error.hpp"
#include "core/softmax/diagnostics.hpp"
#include "core/softmax/learned_layer.hpp"
#include "tests/core/softmax/planted.hpp"
#include "tests/core/softmax/polytope.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>

#include <set>

namespace attest::test {
namespace {

TEST(LearnSoftmax, RecoversOneBooleanHead) {
    const Planted planted(setting(TokenLaw::boolean, 6, 2, 1, 3.0), 5000, 1);

    const SoftmaxResult result = planted.learn();

    EXPECT_EQ(result.outcome, SoftmaxOutcome::recovered);
    EXPECT_LT(result.examples, 2049) << "repeated sequences are used once";
    // One head's hull is the head itself, and without label noise every row says exactly where.
    constexpr double kOneHeadBar = 1e-4;
    EXPECT_LT(hull_error(result.candidates[*result.chosen].hull, planted.heads()).distance,
              kOneHeadBar);
    EXPECT_LT(*result.validation, kPolishedOutputs);
}

TEST(LearnSoftmax, RecoversTwoGaussianHeadsBeforeAnyPolish) {
    const Planted planted(setting(TokenLaw::gaussian, 6, 2, 2, 3.0), 40000, 2);

    const SoftmaxResult result = planted.learn();

    const HullCandidate& chosen = result.candidates[*result.chosen];
    EXPECT_EQ(result.outcome, SoftmaxOutcome::recovered);
    EXPECT_LT(sum_error(chosen.sum.W, planted.heads()), kSumBar);
    EXPECT_GT(chosen.hull.gap, kGapBar);
    EXPECT_LT(hull_error(chosen.hull, planted.heads()).distance, kHullBar);
    EXPECT_LT(hull_error(chosen.hull, planted.heads()).angle_degrees, 0.2);
    EXPECT_LT(recovery_error(result.net.best.front().heads, planted.heads()).worst(), kNetBar);
    EXPECT_LE(result.polished->iterations, 10);
    EXPECT_LT(recovery_error(result.heads(), planted.heads()).worst(), kPolishedHeads);
    EXPECT_TRUE(result.notices.empty());
}

TEST(LearnSoftmax, GivesTheSameHeadsFromMemoryAndFromTheStream) {
    const Planted planted(setting(TokenLaw::gaussian, 4, 2, 2, 3.0), 12000, 3);
    SoftmaxLearnOptions options;
    options.m = 2;
    options.polish = false;

    const SoftmaxResult streamed = learn_softmax(planted.source(), planted.held_out(), options);
    const SoftmaxResult held =
        learn_softmax(source_of(planted.source().draw(0, 12000)), planted.held_out(), options);

    EXPECT_EQ(streamed.crude, held.crude);
    EXPECT_EQ(streamed.net.best.front().heads[0].Theta, held.net.best.front().heads[0].Theta);
}

TEST(LearnSoftmax, StopsWhereTheValuesCancel) {
    // The parity heads: Σ W = 0 exactly, so the first phase sees nothing.
    SoftmaxAttentionOptions options = setting(TokenLaw::boolean, 5, 2, 4, 1.0);
    const SoftmaxAttention task(options, parity_heads(5, {1, 3}, 8.0), Stream(4));

    const SoftmaxSource source = softmax_source(task, 0, 5000);
    SoftmaxLearnOptions learning;
    learning.m = 4;
    const SoftmaxResult result = learn_softmax(source, source.draw(0, 100), learning);

    EXPECT_TRUE(result.has(SoftmaxNotice::sum_zero));
    EXPECT_EQ(result.outcome, SoftmaxOutcome::failed);
    EXPECT_TRUE(result.heads().empty());
}

TEST(LearnSoftmax, WarnsOfASingularSumAndSucceedsAllTheSame) {
    SoftmaxAttentionOptions options = setting(TokenLaw::gaussian, 6, 2, 2, 3.0);
    options.teacher.value = ValueKind::singular;
    const Planted planted(options, 40000, 5);

    const SoftmaxResult result = planted.learn();

    EXPECT_TRUE(result.has(SoftmaxNotice::sum_singular));
    EXPECT_EQ(result.outcome, SoftmaxOutcome::recovered);
    EXPECT_LT(*result.net_validation, kNetSuccess);
    EXPECT_LT(recovery_error(result.heads(), planted.heads()).worst(), kPolishedHeads);
}

TEST(LearnSoftmax, WarnsWhereRowsDoNotDetermineTheirPatterns) {
    const Planted planted(setting(TokenLaw::gaussian, 4, 4, 2, 3.0), 4000, 6);

    const SoftmaxResult result = planted.learn();

    EXPECT_TRUE(result.has(SoftmaxNotice::rows_not_injective));
}

TEST(LearnSoftmax, WarnsOfAWeakGapAndOfPoorCoverageWhereTheyAre) {
    struct Draw {
        Index d;
        Index m;
        Index count;
    };

    std::set<bool> gaps;
    std::set<bool> coverages;
    for (const Draw& draw : {Draw{4, 2, 60}, Draw{4, 2, 4000}, Draw{6, 1, 1000}}) {
        const Planted planted(setting(TokenLaw::gaussian, draw.d, 2, draw.m, 3.0), draw.count, 8);
        SoftmaxLearnOptions options;
        options.m = draw.m;
        options.polish = false;

        const SoftmaxResult result = learn_softmax(planted.source(), planted.held_out(), options);

        ASSERT_TRUE(result.chosen.has_value()) << draw.count;
        const HullCandidate& chosen = result.candidates[*result.chosen];
        // Below a factor of 3 between the singular values there is no clear gap.
        const bool weak = chosen.hull.gap < 3.0;
        const bool poor = chosen.sum.coverage < kLeastCoverage;
        EXPECT_EQ(result.has(SoftmaxNotice::weak_gap), weak) << draw.count;
        EXPECT_EQ(result.has(SoftmaxNotice::coverage), poor) << draw.count;
        gaps.insert(weak);
        coverages.insert(poor);
    }
    EXPECT_EQ(gaps.size(), 2U) << "one data set has a gap, another none";
    EXPECT_EQ(coverages.size(), 2U) << "one data set covers every direction, another does not";
}

TEST(LearnSoftmax, CountsTheHeads) {
    for (Index m = 1; m <= 2; ++m) {
        const Planted planted(setting(TokenLaw::gaussian, 6, 2, m, 3.0), 40000, 7);
        SoftmaxLearnOptions options;
        options.polish = false;

        const SoftmaxResult result = learn_softmax(planted.source(), planted.held_out(), options);

        EXPECT_EQ(result.m, m);
        EXPECT_LT(*result.net_validation, kNetSuccess);
    }
}

TEST(LearnSoftmax, SaysThatAHeadIsRedundantWhereOneTooManyIsAskedFor) {
    const Planted planted(setting(TokenLaw::gaussian, 4, 2, 2, 3.0), 12000, 3);
    SoftmaxLearnOptions options;
    options.m = 3;

    const SoftmaxResult result = learn_softmax(planted.source(), planted.held_out(), options);

    ASSERT_LT(*result.validation, kExactSuccess);
    EXPECT_TRUE(result.has(SoftmaxNotice::redundant_head));
    EXPECT_NE(result.outcome, SoftmaxOutcome::recovered);
    EXPECT_NE(result.outcome, SoftmaxOutcome::recovered_by_polish);
}

TEST(LearnSoftmax, NeverCountsAPolishAsASuccess) {
    // Too few examples for a hull of three heads, but enough for Levenberg and Marquardt.
    const Planted planted(setting(TokenLaw::gaussian, 4, 2, 3, 3.0), 200, 8);

    const SoftmaxResult result = planted.learn();

    ASSERT_TRUE(result.net_validation.has_value());
    EXPECT_GE(*result.net_validation, kNetSuccess);
    EXPECT_TRUE(result.has(SoftmaxNotice::net_inaccurate));
    EXPECT_LT(recovery_error(result.heads(), planted.heads()).worst(), kPolishedHeads);
    EXPECT_EQ(result.outcome, SoftmaxOutcome::recovered_by_polish);
}

TEST(RobustPolytope, OfSculptedRowsPointsTowardsTheHullsLeastNormPoint) {
    const Planted planted(setting(TokenLaw::gaussian, 4, 2, 2, 3.0), 20000, 9);
    const Matrix W = crude_sum(planted.source(), CrudeEstimator::all_pairs);
    SculptOptions sculpting;
    sculpting.rows = 2000;

    const ThetaPolytope K = robust_polytope(constraints_of(sculpt(planted.source(), W, sculpting)));

    ASSERT_TRUE(K.found);
    const Vector x0 = affine_hull(flattened_thetas(planted.heads())).x0;
    EXPECT_GT(K.x0.dot(x0) / (K.x0.norm() * x0.norm()), 0.9);
    const Matrix refined =
        refine_by_margin(
            planted.source(), K.x0.reshaped<Eigen::RowMajor>(4, 4), W, TrimmedOptions())
            .W;
    EXPECT_LT(sum_error(refined, planted.heads()), 0.2 * sum_error(W, planted.heads()));
}

TEST(LearnSoftmax, RefusesSingleTokensAndOtherShapes) {
    const Planted one(setting(TokenLaw::gaussian, 3, 1, 1, 1.0), 10, 10);
    const Planted two(setting(TokenLaw::gaussian, 3, 2, 1, 1.0), 10, 10);
    EXPECT_REFUSED(
        "learn_softmax: expected sequences of at least 2 tokens and at least one example",
        one.learn().m);
    EXPECT_REFUSED("learn_softmax: the held-out examples have another shape",
                   learn_softmax(two.source(), one.held_out(), {}).m);
}

double seconds_of(Index num_examples, Index heads, Index net_points = 0) {
    SoftmaxLearnOptions options;
    options.m = heads;
    options.net_points = net_points;
    return softmax_seconds(num_examples, options);
}

TEST(SoftmaxSeconds, AreOfPassesOverTheExamplesAndOfTheNetsTuples) {
    EXPECT_DOUBLE_EQ(seconds_of(30000, 2) - seconds_of(20000, 2),
                     seconds_of(20000, 2) - seconds_of(10000, 2));
    EXPECT_GT(seconds_of(10000, 3, 20), seconds_of(10000, 3, 10));
    EXPECT_LT(seconds_of(10000, 3, 1000), seconds_of(10000, 3, 20))
        << "a net of too many tuples is refused, not searched";
}

}  // namespace
}  // namespace attest::test

#include "core/audit/head_reduction.hpp"

#include "core/features/coefficients.hpp"
#include "tests/core/audit/audit_examples.hpp"
#include "tests/support/counted_source.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/heads.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace attest {
namespace {

/// Two heads, d = o = 3.
Matrix two_heads() {
    return coefficients(test::normal_parameters(3, 3, 2, Stream(5)));
}

HeadReduction reduced(const Matrix& P, const HeadRequest& request) {
    return reduce_heads(frobenius_target(P, 3), request, Stream(1), {});
}

TEST(HeadReduction, ToTheFewestFindsThePlantedHeads) {
    const Matrix P = two_heads();
    std::vector<HeadPlan> plans;
    Index starts = 0;
    HeadObserver observer;
    observer.plan = [&](const HeadPlan& plan) { plans.push_back(plan); };
    observer.start_done = [&](const HeadSearchProgress&) { ++starts; };

    const HeadReduction found =
        reduce_heads(frobenius_target(P, 3), {HeadChoice::fewest}, Stream(1), observer);

    EXPECT_EQ(found.heads.num_heads(), 2);
    EXPECT_EQ(found.bound->num_heads, 2);
    EXPECT_TRUE(found.loss.same_function());
    EXPECT_FALSE(found.loss.on_data);
    EXPECT_EQ(found.search->end, HeadSearchEnd::proved);
    ASSERT_EQ(plans.size(), 1U) << "told once, before the first start";
    EXPECT_EQ(plans[0].first, 2);
    EXPECT_GT(starts, 0);
}

TEST(HeadReduction, ToACountKeepsTheBestOfItsThreeWays) {
    const HeadReduction one = reduced(two_heads(), {HeadChoice::count, 1});
    const HeadReduction two = reduced(two_heads(), {HeadChoice::count, 2});

    EXPECT_EQ(one.heads.num_heads(), 1);
    EXPECT_LE(one.losses->fit, one.losses->refit);
    EXPECT_LE(one.losses->refit, one.losses->cut);
    EXPECT_EQ(one.loss.loss(), one.losses->fit);
    EXPECT_GT(one.loss.residual, test::kMissed) << "one head is not two";
    EXPECT_FALSE(one.loss.same_function());
    EXPECT_TRUE(two.loss.same_function());
}

TEST(HeadReduction, AtTheElbowNeedsTheNormOfTheData) {
    EXPECT_EQ(test::invalid_input_message([] { (void)reduced(two_heads(), {HeadChoice::elbow}); }),
              "elbow: the noise shows in the norm of the data; give --data");
}

TEST(HeadReduction, RefusesMoreHeadsThanAnyModelNeeds) {
    EXPECT_EQ(test::invalid_input_message([] {
                  (void)reduced(two_heads(), {HeadChoice::count, 10});
              }),
              "got 10 heads, expected 1 to 9, which suffice for every model with d = 3 and o = 3");
    EXPECT_EQ(test::invalid_input_message([] { (void)reduced(two_heads(), {}); }),
              "reduce_heads: got svd, expected the fewest, an elbow or a count");
}

TEST(HeadReduction, StopsWhereItIsInterrupted) {
    HeadObserver observer;
    observer.interrupt = [] { return true; };
    const Matrix generic = test::generic_coefficients(3, 3, Stream(6));  // more heads than proved

    const HeadReduction found =
        reduce_heads(frobenius_target(generic, 3), {HeadChoice::fewest}, Stream(1), observer);

    EXPECT_EQ(found.search->end, HeadSearchEnd::interrupted);
    EXPECT_TRUE(found.loss.same_function()) << "what is kept computes the function";
}

TEST(HeadTarget, IsInTheNormOfTheDataAndTheRidge) {
    // d = 1, H = z³ = 1 on every example, so Λ = 1 and the norm of a ridge R is √(1 + R).
    const Dataset data = test::one_sign_wrong();
    const test::CountedSource source(data);
    const FactoredSource shared(source);
    const Matrix P = Matrix::Constant(1, 1, 3.0);

    EXPECT_NEAR(head_target(P, shared, {}).scale, 3.0, 30.0 * 0x1p-52 * 3.0);
    EXPECT_NEAR(head_target(P, shared, {.ridge = 3.0}).scale, 6.0, 30.0 * 0x1p-52 * 6.0);
    EXPECT_EQ(source.passes(), 1) << "both from one factor";
}

}  // namespace
}  // namespace attest

#include "core/questions/reduce_heads.hpp"

#include "core/base/error.hpp"
#include "core/features/coefficients.hpp"
#include "tests/core/questions/audit_examples.hpp"
#include "tests/core/questions/planted_layers.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/heads.hpp"
#include "tests/support/sources.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace attest {
namespace {

TEST(HeadRequest, IsReadFromAWordOrANumber) {
    EXPECT_EQ(head_request("svd").choice, HeadChoice::svd);
    EXPECT_EQ(head_request("min").choice, HeadChoice::fewest);
    EXPECT_EQ(head_request("elbow").choice, HeadChoice::elbow);
    EXPECT_EQ(head_request("3").choice, HeadChoice::count);
    EXPECT_EQ(head_request("3").count, 3);
}

TEST(HeadRequest, RefusesEverythingElse) {
    for (const char* text : {"0", "-1", "1.5", "some", ""}) {
        EXPECT_THROW((void)head_request(text), UnknownName) << text;
    }
}

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
    EXPECT_REFUSED("elbow: the noise shows in the norm of the data",
                   reduced(two_heads(), {HeadChoice::elbow}));
}

TEST(HeadReduction, RefusesMoreHeadsThanAnyModelNeeds) {
    EXPECT_REFUSED("got 10 heads", reduced(two_heads(), {HeadChoice::count, 10}));
    EXPECT_REFUSED("reduce_heads: got svd", reduced(two_heads(), {}));
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

TEST(HeadNeeds, LossFallsWithTheHeadsToNothing) {
    const test::PlantedLayer layer = test::healthy_layer();
    const Matrix generic = Matrix(layer.model.P).cwiseAbs().colwise().reverse();
    const DatasetSource source(layer.data);
    const HeadNeeds needs =
        head_needs(FactoredSource(source), layer.model, generic, 2.0, Stream(1));
    ASSERT_GE(needs.fewer.size(), 2U);
    for (std::size_t k = 1; k < needs.fewer.size(); ++k) {
        EXPECT_EQ(needs.fewer[k].heads, needs.fewer[k - 1].heads + 1);
        EXPECT_LE(needs.fewer[k].loss, needs.fewer[k - 1].loss);
    }
    EXPECT_GT(needs.fewer.front().loss, 0.0) << "one head is too few";
    ASSERT_TRUE(needs.found.has_value());
    EXPECT_GE(*needs.found, needs.at_least);
}

}  // namespace

}  // namespace attest

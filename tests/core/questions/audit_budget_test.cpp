#include "core/questions/audit_budget.hpp"

#include "core/questions/audit.hpp"
#include "tests/core/questions/planted_layers.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/layer_examples.hpp"
#include "tests/support/process_settings.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace attest::test {
namespace {

/// Four heads with decays on 3000 sequences of 16 entries.
AuditSize large_layer() {
    AuditSize size;
    size.num_examples = 3000;
    size.psi = 8704;
    size.states = 544;
    size.outputs = 16;
    size.held_out = 400;
    return size;
}

TEST(AuditPlan, TakesEverythingWhereNothingIsBounded) {
    const AuditPlan plan = audit_plan(large_layer(), std::numeric_limits<double>::infinity());

    ASSERT_EQ(plan.parts.size(), 5U) << "no heads are asked about";
    EXPECT_TRUE(std::all_of(
        plan.parts.begin(), plan.parts.end(), [](const PlannedPart& one) { return one.included; }));
}

TEST(AuditPlan, NeverPromisesMoreThanItsBudget) {
    for (const double budget : {0.0, 1.0, 10.0, 60.0, 600.0}) {
        const AuditPlan plan = audit_plan(large_layer(), budget);
        EXPECT_LE(plan.seconds(), budget);
        for (const PlannedPart& one : plan.parts) {
            // What it says would add a part does.
            EXPECT_TRUE(audit_plan(large_layer(), plan.budget_for(one.part)).has(one.part))
                << to_string(one.part);
        }
    }
}

TEST(AuditPlan, LeavesOutWhatNeedsARankThatIsLeftOut) {
    const AuditPlan none = audit_plan(large_layer(), 0.0);
    EXPECT_FALSE(none.has(AuditPart::rank));
    EXPECT_FALSE(none.has(AuditPart::reasons));
    EXPECT_FALSE(none.has(AuditPart::held_out));

    AuditSize small = large_layer();
    small.num_examples = 20;
    EXPECT_TRUE(audit_plan(small, 60.0).has(AuditPart::coverage));
}

TEST(AuditPlan, CountsTheLiftOfAChangeOfHeadsThatFewOutputsLeaveOpen) {
    AuditSize size = large_layer();
    size.head_entries = 2048;
    size.num_examples = 2048 / 16;
    const double enough = estimated_seconds(AuditPart::few_heads, size);
    size.num_examples -= 1;
    EXPECT_GT(estimated_seconds(AuditPart::few_heads, size), enough + 9.0);
    size.head_entries = 4;
    size.num_examples = 1;
    size.outputs = 2;
    EXPECT_LT(estimated_seconds(AuditPart::few_heads, size), 1.0) << "two outputs are soon lifted";
}

TEST(AuditPlan, IsTheSameWhateverTheClockAndFollowsTheMachine) {
    const AuditPlan plan = audit_plan(large_layer(), 60.0);
    const AuditPlan again = audit_plan(large_layer(), 60.0);
    AuditSize faster = large_layer();
    faster.machine_speed = 2.0;
    const AuditPlan fast = audit_plan(faster, 60.0);

    for (std::size_t k = 0; k < plan.parts.size(); ++k) {
        EXPECT_EQ(plan.parts[k].seconds, again.parts[k].seconds);
        EXPECT_EQ(plan.parts[k].seconds, 2.0 * fast.parts[k].seconds);
    }
}

TEST(AuditPlan, TakesTheSecondsOfTheSearchForHeadsAsTheyAre) {
    AuditSize size = large_layer();
    size.head_seconds = 20.0;
    for (const double speed : {0.3, 1.0, 2.0}) {
        size.machine_speed = speed;
        EXPECT_DOUBLE_EQ(audit_plan(size, 0.0).parts.back().seconds, 20.0) << speed;
    }
}

TEST(AuditPlan, GivesTheSearchForHeadsAThirdOfASmallBudget) {
    AuditSize size;
    size.num_examples = 60;
    size.psi = 18;
    size.outputs = 2;
    size.head_seconds = 20.0;
    const AuditPlan plan = audit_plan(size, 2.0);
    EXPECT_TRUE(plan.has(AuditPart::fewest_heads));
    EXPECT_DOUBLE_EQ(plan.seconds_of(AuditPart::fewest_heads), 2.0 / 3.0);
    EXPECT_DOUBLE_EQ(audit_plan(size, 600.0).seconds_of(AuditPart::fewest_heads), 20.0);
}

TEST(AuditPlan, NamesABudgetForAllLayersThatAddsThePartToEach) {
    AuditSize size = large_layer();
    size.layers = 5;
    size.head_seconds = 20.0;
    const AuditPlan none = audit_plan(size, 0.0);
    for (const PlannedPart& one : none.parts) {
        EXPECT_TRUE(audit_plan(size, none.budget_for(one.part)).has(one.part));
    }
}

TEST(AuditPlan, OfALargeLayerFitsIntoAMinuteWithItsVerdictOnHeldOutInputs) {
    const AuditPlan plan = audit_plan(large_layer(), 60.0);

    EXPECT_TRUE(plan.has(AuditPart::rank));
    EXPECT_TRUE(plan.has(AuditPart::held_out));
    EXPECT_SAYS(in_words(plan), "rank ");
}

/// Where features outnumber examples only passes are made: no elimination of all of them.
TEST(AuditPlan, ReasonsOfFewExamplesGrowAsThePassesOverThem) {
    AuditSize size = large_layer();
    size.held_out = 0;
    const double once = estimated_seconds(AuditPart::reasons, size);
    size.psi *= 2;
    const double twice = estimated_seconds(AuditPart::reasons, size);
    EXPECT_LT(twice, 2.0 * once);
    EXPECT_GT(twice, 1.9 * once) << "but for the elimination of the states";

    size.num_examples = size.psi;
    const double many = estimated_seconds(AuditPart::reasons, size);
    size.num_examples -= 1;
    EXPECT_GT(many, 10.0 * estimated_seconds(AuditPart::reasons, size))
        << "with enough examples every relation is sought";
}

TEST(AuditPlan, OfALargeLayerSaysWhyWithinAMinuteAlsoWithoutHeldOutInputs) {
    AuditSize size = large_layer();
    size.held_out = 0;
    const AuditPlan plan = audit_plan(size, 60.0);
    EXPECT_TRUE(plan.has(AuditPart::rank));
    EXPECT_TRUE(plan.has(AuditPart::reasons));
    EXPECT_LE(plan.seconds(), 60.0);

    size.psi = Index{32} * 528 * 8;  // tokens twice as long, eight kernels
    size.states = Index{528} * 8;
    const AuditPlan larger = audit_plan(size, 60.0);
    EXPECT_FALSE(larger.has(AuditPart::reasons));
    EXPECT_LE(larger.seconds(), 60.0);
}

/// 400 sequences of 4096 tokens of 8 entries: whatever is formed anew takes a pass over the tokens.
TEST(AuditPlan, CountsTheTokensOfLongSequences) {
    const Dataset data = layer_data({.layer = "linear", .d = 8, .n = {4, 4}, .count = 400});
    AuditSize size = audit_size(sequence_shape(data));
    EXPECT_EQ(size.psi, 288);
    EXPECT_EQ(size.all_states, 36);
    EXPECT_EQ(size.length, 4.0);
    size.held_out = 10;
    AuditSize longer = size;
    longer.length = 4096.0;
    for (const AuditPart part : {AuditPart::rank,
                                 AuditPart::singular_values,
                                 AuditPart::held_out,
                                 AuditPart::reasons,
                                 AuditPart::coverage}) {
        EXPECT_GT(estimated_seconds(part, longer), 2.0 * estimated_seconds(part, size))
            << to_string(part);
    }
    // A token a prefix, however long sequences are.
    const Dataset prefixes =
        layer_data({.layer = "linear", .n = {50, 50}, .labels = LabelKind::per_prefix, .count = 3});
    EXPECT_EQ(audit_size(sequence_shape(prefixes)).length, 1.0);
}

TEST(AuditPlan, CountsTheStatesOfTheLargestBlock) {
    EXPECT_EQ(most_states(FeatureLayout(4)), 10);
    EXPECT_EQ(most_states(FeatureLayout({1, 1, 1}, {1, 1}, {{0, 1, 0, 2}, {1, 2, 0, 1}})), 2);
}

LayerAudit within(double budget, const Dataset* held_out) {
    const PlantedLayer layer = layer_with_a_dead_coordinate();
    const DatasetSource source(layer.data);
    LayerAuditRequest request;
    request.held_out = held_out;
    request.budget = budget;
    request.again = "attest audit model.npz data.npz";
    return audit_layer(FactoredSource(source), layer.model, request);
}

TEST(LayerAuditWithinABudget, SaysWhatItLeftOutAndWhatAddsIt) {
    const PlantedLayer layer = layer_with_a_dead_coordinate();
    const Dataset held_out = fresh_inputs(layer, 5);

    const LayerAudit found = within(0.0, &held_out);

    const std::vector<LeftOut> left = beyond_budget(found);
    EXPECT_EQ(left.size(), found.plan.parts.size());
    for (const LeftOut& one : left) {
        EXPECT_SAYS(one.why, "attest audit model.npz data.npz --budget ");
    }
    EXPECT_TRUE(std::any_of(found.plan.parts.begin(), found.plan.parts.end(), [](const auto& one) {
        return one.part == AuditPart::fewest_heads;
    })) << "heads are named too";
    // Errors are there, and verdicts are not invented.
    EXPECT_TRUE(found.risk.has_value());
    ASSERT_EQ(found.held_out.size(), 5U);
    EXPECT_TRUE(found.held_out[0].error.has_value());
    EXPECT_FALSE(found.held_out[0].leverage.has_value());
    EXPECT_EQ(found.held_out[0].verdict, Determination::undecided);
    EXPECT_EQ(summarise(found).unique, Uniqueness::undecided) << "60 examples, 18 features";
    EXPECT_TRUE(beyond_budget(within(std::numeric_limits<double>::infinity(), nullptr)).empty());
}

TEST(LayerAuditWithinABudget, StillProvesWhatCountingProves) {
    PlantedLayer layer = healthy_layer(7);
    const DatasetSource source(layer.data);
    LayerAuditRequest request;
    request.budget = 0.0;

    const LayerAudit found = audit_layer(FactoredSource(source), layer.model, request);

    EXPECT_EQ(found.exact().rank.verdict, RankVerdict::deficient) << "7 examples, 18 features";
    EXPECT_EQ(summarise(found).unique, Uniqueness::none);
}

TEST(AuditPlan, LeavesOutWhatDoesNotFitIntoMemoryWhateverTheBudget) {
    AuditSize size = large_layer();
    size.head_entries = 100;
    size.rank_bytes = 4e9;
    size.factor_bytes = 6e9;
    size.memory = 5e9;
    const AuditPlan plan = audit_plan(size, std::numeric_limits<double>::infinity());
    EXPECT_TRUE(plan.has(AuditPart::rank));
    EXPECT_TRUE(plan.has(AuditPart::held_out));
    EXPECT_FALSE(plan.has(AuditPart::singular_values));
    EXPECT_FALSE(plan.has(AuditPart::few_heads)) << "needs them";

    size.memory = 3e9;
    const AuditPlan smaller = audit_plan(size, std::numeric_limits<double>::infinity());
    EXPECT_EQ(smaller.seconds(), 0.0);
    EXPECT_EQ(smaller.budget_for(AuditPart::reasons),
              std::ceil(estimated_seconds(AuditPart::reasons, size)))
        << "what no budget adds is not counted";
}

TEST(LayerAuditWithinAMemory, NamesWhatDoesNotFit) {
    const PlantedLayer layer = healthy_layer(7);
    const DatasetSource source(layer.data);
    const MemoryLimit limit(100000);

    const LayerAudit found = audit_layer(FactoredSource(source), layer.model, {});

    EXPECT_FALSE(found.plan.has(AuditPart::rank)) << "18 features: 8·1024·18 bytes and more";
    EXPECT_TRUE(found.spectrum.has_value());
    EXPECT_EQ(found.exact().rank.verdict, RankVerdict::deficient) << "7 examples, 18 features";
    const std::vector<LeftOut> left = beyond_budget(found);
    ASSERT_FALSE(left.empty());
    EXPECT_EQ(left.front().what, words(AuditPart::rank));
    for (const LeftOut& one : left) {
        EXPECT_SAYS(one.why, "of memory, the limit is");
    }
}

}  // namespace
}  // namespace attest::test

#include "core/audit/audit_summary.hpp"

#include "tests/core/audit/audit_examples.hpp"
#include "tests/core/audit/planted_layers.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace attest {
namespace {

using test::PlantedLayer;

AuditSummary summary_of(const PlantedLayer& layer, const Dataset* held_out = nullptr) {
    const DatasetSource source(layer.data);
    LayerAuditRequest request;
    request.held_out = held_out;
    request.head_budget = 2.0;
    return summarise(audit_layer(FactoredSource(source), layer.model, request));
}

std::vector<std::string> kinds(const AuditSummary& summary, Concern concern) {
    std::vector<std::string> found;
    for (const Observation& one : summary.observations) {
        if (one.concern == concern) {
            found.push_back(one.kind);
        }
    }
    return found;
}

bool alarms_of(const AuditSummary& summary, const std::string& kind) {
    const std::vector<std::string> found = kinds(summary, Concern::alarm);
    return std::find(found.begin(), found.end(), kind) != found.end();
}

TEST(AuditSummary, OfAHealthyLayerSaysNothingAlarming) {
    const PlantedLayer layer = test::healthy_layer();
    const Dataset held_out = test::fresh_inputs(layer, 10);
    const AuditSummary summary = summary_of(layer, &held_out);
    EXPECT_EQ(summary.unique, Uniqueness::everywhere);
    EXPECT_TRUE(summary.observations.empty()) << summary.observations.front().sentence;
    EXPECT_EQ(summary.what_to_do(), std::vector<std::string>{"Nothing: no alarm."});
}

TEST(AuditSummary, NamesThePlantedCause) {
    const auto expect_cause = [](const PlantedLayer& layer, const std::string& kind) {
        const AuditSummary summary = summary_of(layer);
        EXPECT_EQ(summary.unique, Uniqueness::none) << kind;
        EXPECT_EQ(kinds(summary, Concern::alarm), std::vector<std::string>{kind});
        EXPECT_NE(summary.what_to_do().front().find("Record"), std::string::npos);
    };
    expect_cause(test::layer_with_a_dead_coordinate(), "zero_coordinate");
    expect_cause(test::layer_of_repeated_tokens(), "repeated_tokens");
    expect_cause(test::healthy_layer(7), "too_few_examples");
    EXPECT_TRUE(alarms_of(summary_of(test::layer_of_constants()), "collinear"));
    EXPECT_TRUE(alarms_of(summary_of(test::layer_of_one_hot_tokens()), "one_hot"));
}

TEST(AuditSummary, NamesConstantCoordinates) {
    const std::vector<std::string> notes =
        kinds(summary_of(test::layer_of_constants()), Concern::note);
    EXPECT_NE(std::find(notes.begin(), notes.end(), "constant_coordinate"), notes.end());
}

TEST(AuditSummary, AlarmsAtHeldOutInputsThatWereSeenOrAreOpen) {
    const PlantedLayer layer = test::layer_with_a_dead_coordinate();
    const Dataset open = test::fresh_inputs(layer, 3);
    EXPECT_TRUE(alarms_of(summary_of(layer, &open), "held_out_open"));
    const AuditSummary seen = summary_of(layer, &layer.data);
    EXPECT_TRUE(alarms_of(seen, "held_out_seen"));
    EXPECT_FALSE(alarms_of(seen, "held_out_open"));
    EXPECT_EQ(seen.unique, Uniqueness::held_out);
}

TEST(AuditSummary, AlarmsAtLabelsThatNoFunctionHas) {
    PlantedLayer layer = test::healthy_layer();
    layer.data = concatenate(layer.data, subset(layer.data, 0, 1));
    EXPECT_EQ(kinds(summary_of(layer), Concern::note), std::vector<std::string>{"duplicates"});
    layer.data.y(0, 0) += 1.0;
    EXPECT_TRUE(alarms_of(summary_of(layer), "contradictory_labels"));
}

TEST(AuditSummary, ComparesTheLayerWithTheBestOne) {
    PlantedLayer layer = test::healthy_layer();
    layer.model.P *= 1.0 + 0x1p-10;
    EXPECT_TRUE(summary_of(layer).observations.empty()) << "bfloat16 would do as much";
    layer.model.P *= 1.5;
    EXPECT_EQ(kinds(summary_of(layer), Concern::note),
              std::vector<std::string>{"not_the_best_layer"});
    layer.model.P *= -1.0;
    EXPECT_TRUE(alarms_of(summary_of(layer), "no_better_than_zero"));
}

TEST(AuditSummary, FindsADeficiencyHarmlessWhereItIsTheLayersOwn) {
    // One token an example: z zᵀ ⊗ z has rank 4 of 6 on such data, but d = 2 of length 1 is all
    // that the lengths seen allow.
    PlantedLayer layer{{2, 2, Matrix::Zero(6, 2), {2, 2, {}}, ""}, test::planted(30, 1)};
    const AuditSummary summary = summary_of(layer);
    EXPECT_EQ(summary.unique, Uniqueness::lengths_seen);
    EXPECT_NE(summary.unique_in_words.find("1 token"), std::string::npos);
}

}  // namespace
}  // namespace attest

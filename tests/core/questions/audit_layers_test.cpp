#include "core/questions/audit_layers.hpp"

#include "core/base/text.hpp"
#include "tests/core/questions/planted_layers.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

namespace attest::test {
namespace {

/// Two layers of one shape and their own records; the second is the first with another value.
std::vector<RecordedLayer> two_layers() {
    PlantedLayer first = healthy_layer();
    PlantedLayer second = healthy_layer();
    second.model.P *= -3.0;
    for (auto& head : second.model.heads.heads) {
        head.V *= -3.0;
    }
    second.data.y *= -3.0;
    return {{"layers.0", first.model, first.data, {}}, {"layers.1", second.model, second.data, {}}};
}

LayerAuditRequest quick() {
    LayerAuditRequest request;
    request.head_budget = 0.5;
    return request;
}

TEST(AuditLayers, EachOnItsOwnRecords) {
    const std::vector<AuditedLayer> found = audit_layers(two_layers(), quick());

    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[1].name, "layers.1");
    for (const AuditedLayer& one : found) {
        EXPECT_EQ(one.summary.unique, Uniqueness::everywhere);
        EXPECT_FALSE(one.records_fit.has_value());
        EXPECT_LT(one.audit.risk->relative, 1e-20) << "labels are the model's own outputs";
    }
    EXPECT_EQ(decision(found), Decision::yes);
}

TEST(AuditLayers, NoticesRecordsOfAnotherLayer) {
    std::vector<RecordedLayer> layers = two_layers();
    std::swap(layers[0].records, layers[1].records);

    const std::vector<AuditedLayer> found = audit_layers(layers, quick());

    EXPECT_EQ(found[0].records_fit, "layers.1");
    EXPECT_EQ(found[1].records_fit, "layers.0");
    EXPECT_EQ(found[0].summary.observations.front().kind, "records_of_another_layer");
    EXPECT_SAYS(found[0].summary.observations.front().sentence, "records of layers.1");
}

TEST(AuditLayers, NoticesHeldOutRecordsOfAnotherLayer) {
    std::vector<RecordedLayer> layers = two_layers();
    layers[0].held_out = layers[1].records;

    const std::vector<AuditedLayer> found = audit_layers(layers, quick());

    const auto& seen = found[0].summary.observations;
    EXPECT_TRUE(std::any_of(seen.begin(), seen.end(), [](const Observation& one) {
        return one.kind == "held_out_far_off";
    }));
    layers[0].held_out = layers[0].records;
    const auto own = audit_layers(layers, quick())[0].summary.observations;
    EXPECT_TRUE(std::none_of(own.begin(), own.end(), [](const Observation& one) {
        return one.kind == "held_out_far_off";
    }));
}

TEST(AuditLayers, ShareTheBudget) {
    LayerAuditRequest request = quick();
    request.budget = 0.0;

    for (const AuditedLayer& one : audit_layers(two_layers(), request)) {
        EXPECT_EQ(one.audit.plan.budget, 0.0);
        EXPECT_FALSE(beyond_budget(one.audit).empty());
    }
    request.budget = 1e6;
    EXPECT_EQ(audit_layers(two_layers(), request)[0].audit.plan.budget, 5e5);
}

TEST(AuditLayers, AnswerForTheWorst) {
    std::vector<RecordedLayer> layers = two_layers();
    const PlantedLayer dead = layer_with_a_dead_coordinate();
    layers[1] = {"layers.1", dead.model, dead.data, {}};

    EXPECT_EQ(decision(audit_layers(layers, quick())), Decision::no);
}

}  // namespace
}  // namespace attest::test

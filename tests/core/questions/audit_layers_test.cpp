#include "core/questions/audit_layers.hpp"

#include "core/base/text.hpp"
#include "core/trained/imported_layer.hpp"
#include "tests/core/questions/planted_layers.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/heads.hpp"
#include "tests/support/problems.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
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

/// A trained layer on tokens of 4 entries, as `attest import` is asked for it.
struct TrainedCase {
    ImportRequest request;
    std::vector<double> decays;  ///< of each head
    bool biased = false;
};

std::vector<TrainedCase> trained_cases() {
    return {
        {{.as = TrainedLayer::retention, .heads = 1, .rotary = 0}, {1.0 - 0x1p-5}},
        {{.as = TrainedLayer::retention, .heads = 2, .rotary = 0}, {1.0 - 0x1p-5, 1.0 - 0x1p-6}},
        {{.as = TrainedLayer::lightning, .heads = 2, .num_layers = 2}, {1.0, std::exp(-4.0)}},
        {{.heads = 2}, {1.0, 1.0}, true}};
}

Weights normal_weights(const TrainedCase& one, std::uint64_t seed) {
    const auto entries = [&](const std::string& name, std::vector<Index> shape, Index count) {
        const Matrix drawn = normal_matrix(count, 1, Stream(seed).child("weights").child(name));
        return Weight{std::move(shape), {drawn.data(), drawn.data() + count}};
    };
    Weights weights{"lm.npz", "attn.", {}};
    for (const std::string name : {"q_proj", "k_proj", "v_proj", "o_proj"}) {
        weights.tensors[name + ".weight"] = entries(name, {4, 4}, 16);
    }
    if (one.biased) {
        weights.tensors["o_proj.bias"] = entries("bias", {4}, 4);
    }
    return weights;
}

/// Token by token: o_proj of Σ_t γ^(n−t) ⟨k_t, q_n⟩/√d_k v_t of each head, and the bias.
Vector output_by_tokens(const Weights& weights, const TrainedCase& one, const Matrix& Z) {
    const Index size = 4 / one.request.heads;
    const Matrix queries = weights.matrix("q_proj.weight") * Z.rightCols(1);
    const Matrix keys = weights.matrix("k_proj.weight") * Z;
    const Matrix values = weights.matrix("v_proj.weight") * Z;
    Vector heads = Vector::Zero(4);
    for (Index h = 0; h < one.request.heads; ++h) {
        for (Index t = 0; t < Z.cols(); ++t) {
            const auto distance = static_cast<double>(Z.cols() - 1 - t);
            const double weight =
                std::pow(one.decays[static_cast<std::size_t>(h)], distance) *
                keys.col(t).segment(h * size, size).dot(queries.col(0).segment(h * size, size)) /
                std::sqrt(static_cast<double>(size));
            heads.segment(h * size, size) += weight * values.col(t).segment(h * size, size);
        }
    }
    return weights.matrix("o_proj.weight") * heads + weights.vector_or_zero("o_proj.bias", 4);
}

RecordedLayer trained_layer(const TrainedCase& one, std::uint64_t seed) {
    const Weights weights = normal_weights(one, seed);
    RecordedLayer layer{
        "layers." + std::to_string(seed), imported_layer(weights, one.request), {}, {}};
    layer.records = planted_dataset(
        normal_parameters(4, 4, 1, Stream(1)), 120, 5, Stream(seed).child("tokens"));
    layer.records.layer = layer.model.layer;
    for (Index i = 0; i < layer.records.num_sequences(); ++i) {
        layer.records.y.col(i) = output_by_tokens(weights, one, layer.records.sequence(i));
    }
    return layer;
}

TEST(AuditLayers, OfTrainedHeadsComputeWhatTheseDid) {
    for (const TrainedCase& one : trained_cases()) {
        std::vector<RecordedLayer> layers{trained_layer(one, 0), trained_layer(one, 1)};
        const std::string text = to_string(layers[0].model.layer);

        for (const AuditedLayer& found : audit_layers(layers, quick())) {
            EXPECT_LT(found.audit.risk->relative, kFunctionBar * kFunctionBar) << text;
            EXPECT_EQ(decision(found.summary.unique), Decision::yes) << text;
        }

        std::swap(layers[0].records, layers[1].records);
        EXPECT_EQ(audit_layers(layers, quick())[0].records_fit, "layers.1") << text;
    }
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

#include "core/trained/imported_layer.hpp"

#include "core/layers/parse_layer.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace attest {
namespace {

/// 1, 2, … in a matrix.
Weight counting(Index rows, Index cols) {
    Weight weight{{rows, cols}, std::vector<double>(static_cast<std::size_t>(rows * cols))};
    std::iota(weight.values.begin(), weight.values.end(), 1.0);
    return weight;
}

/// Two heads of size 2 on tokens of dimension 4.
Weights two_heads() {
    Weights weights{"w", "attn.", {}};
    for (const char* name : {"q_proj.weight", "k_proj.weight", "v_proj.weight", "o_proj.weight"}) {
        weights.tensors[name] = counting(4, 4);
    }
    return weights;
}

std::string complaint(const Weights& weights, ImportRequest request = {.heads = 2}) {
    return test::invalid_input_message([&] { (void)imported_layer(weights, request); });
}

TEST(ImportedLayer, HeadsAreProductsOfProjections) {
    const Model model = imported_layer(two_heads(), {.heads = 2, .scale = 1.0});
    EXPECT_TRUE(model.layer.is_linear());
    ASSERT_EQ(model.heads.num_heads(), 2);
    const Matrix W = two_heads().matrix("q_proj.weight");
    EXPECT_EQ(model.heads.heads[1].V, W.rightCols(2) * W.bottomRows(2));
    EXPECT_EQ(model.heads.heads[1].Q, W.bottomRows(2).transpose() * W.bottomRows(2));
}

TEST(ImportedLayer, HeadsOfOneGroupShareKeysAndValues) {
    Weights weights = two_heads();
    weights.tensors["k_proj.weight"] = weights.tensors["v_proj.weight"] = counting(2, 4);
    const Model model = imported_layer(weights, {.heads = 2, .key_heads = 1, .scale = 1.0});
    const Matrix shared = weights.matrix("k_proj.weight");
    const Matrix queries = weights.matrix("q_proj.weight");
    EXPECT_EQ(model.heads.heads[1].Q, shared.transpose() * queries.bottomRows(2));
}

TEST(ImportedLayer, RetentionHasADecayAHeadAndLightningOneOfItsOwn) {
    const Model retention =
        imported_layer(two_heads(), {.as = TrainedLayer::retention, .heads = 2, .rotary = 0});
    EXPECT_EQ(to_string(retention.layer), "decay=31/32,63/64");
    EXPECT_EQ(retention.layer_heads.heads[1].kernel, 1);
    const Model lightning =
        imported_layer(two_heads(), {.as = TrainedLayer::lightning, .heads = 2, .num_layers = 2});
    ASSERT_EQ(lightning.layer.kernels.size(), 2U);
    EXPECT_EQ(lightning.layer.kernels[0].rate, 1);
    EXPECT_EQ(lightning.layer.kernels[1].rate.convert_to<double>(), std::exp(-4.0));
    EXPECT_EQ(layer_named(to_string(lightning.layer)), lightning.layer);
}

TEST(ImportedLayer, LightningIsToldHowManyLayersThereAre) {
    ImportRequest request{.as = TrainedLayer::lightning, .heads = 2};
    EXPECT_SAYS(complaint(two_heads(), request), "--num-layers: got nothing");
    request.layer_index = request.num_layers = 2;
    EXPECT_SAYS(complaint(two_heads(), request), "--layer-index: got 2");
}

TEST(ImportedLayer, LayersOfEqualDecaysShareOneKernel) {
    const Model model = imported_layer(
        two_heads(),
        {.as = TrainedLayer::lightning, .heads = 2, .layer_index = 1, .num_layers = 2});
    EXPECT_EQ(model.layer.kernels.size(), 2U) << "1 and exp(-2)";
    const Model same = imported_layer(two_heads(), {.heads = 2});
    EXPECT_TRUE(same.layer.kernels.empty());
}

TEST(ImportedLayer, RotationsBecomeTablesThatTheTextHolds) {
    const Model model =
        imported_layer(two_heads(), {.as = TrainedLayer::retention, .heads = 2, .rotary = 5});
    EXPECT_EQ(model.layer.kernels.size(), 4U) << "a cosine and a sine a head of size 2";
    EXPECT_EQ(layer_named(to_string(model.layer)), model.layer);
    EXPECT_NEAR(model.layer.kernels[0].values[3].convert_to<double>(),
                std::pow(31.0 / 32.0, 3.0) * std::cos(3.0),
                1e-15);
}

TEST(ImportedLayer, FrequenciesInTheFileAreThoseOfTheRotation) {
    Weights weights = two_heads();
    weights.tensors["rotary.inv_freq"] = {{1}, {1.0}};
    ImportRequest rotating{.as = TrainedLayer::retention, .heads = 2, .rotary = 5};
    EXPECT_EQ(imported_layer(weights, rotating).layer.kernels.size(), 4U);
    weights.tensors["rotary.inv_freq"].values = {0.5};
    EXPECT_SAYS(complaint(weights, rotating), "attn.rotary.inv_freq: holds 0.5 at 0, expected 1");
    rotating.rotary = 0;
    EXPECT_SAYS(complaint(weights, rotating), "turned by their place");
    EXPECT_SAYS(complaint(weights), "turned by their place");
}

TEST(ImportedLayer, ABiasMakesItAffine) {
    Weights weights = two_heads();
    weights.tensors["o_proj.bias"] = {{4}, {0.0, 0.0, 7.0, 0.0}};
    const Model model = imported_layer(weights, {.heads = 2});
    EXPECT_EQ(to_string(model.layer), "affine");
    EXPECT_EQ(model.layer_heads.direct(2, 0), 7.0);
    weights.tensors["o_proj.bias"].values[2] = 0.0;
    EXPECT_TRUE(imported_layer(weights, {.heads = 2}).layer.is_linear()) << "no bias";
}

TEST(ImportedLayer, WhatIsNoLinearAttentionIsRefusedByName) {
    const auto with = [](const std::string& name) {
        Weights weights = two_heads();
        weights.tensors[name] = counting(1, 1);
        return weights;
    };
    EXPECT_SAYS(complaint(with("g_norm.weight")), "attn.g_norm.weight: the heads are normalised");
    EXPECT_SAYS(complaint(with("g_proj.weight")), "multiplied by a gate");
    EXPECT_SAYS(complaint(with("q_conv1d.weight")), "short convolution");
    EXPECT_SAYS(complaint(with("feature_map_q.layer.weight")), "learned feature map");
    EXPECT_SAYS(complaint(with("gk_proj.weight")), "gates depend");
    EXPECT_SAYS(complaint(with("mystery")), "attn.mystery: is not a weight");
    EXPECT_SAYS(complaint(with("q_proj.lora_A")), "attn.q_proj.lora_A: is not a weight");
    const ImportRequest heads{.heads = 2, .output = ImportedOutput::heads};
    EXPECT_EQ(imported_layer(with("g_norm.weight"), heads).o, 4) << "before the norm";
    EXPECT_NE(complaint(with("q_conv1d.weight"), heads), "nothing was thrown") << "before the sum";
}

TEST(ImportedLayer, OnlyWhatComesBehindTheHeadsIsExcusedByUntilHeads) {
    const ImportRequest heads{.heads = 2, .output = ImportedOutput::heads};
    const auto with = [](const std::string& name) {
        Weights weights = two_heads();
        weights.tensors[name] = counting(1, 1);
        return weights;
    };
    for (const char* behind :
         {"g_norm.weight", "o_norm.weight", "group_norm.weight", "g_proj.weight"}) {
        EXPECT_EQ(complaint(with(behind), heads), "nothing was thrown") << behind;
    }
    for (const char* before : {"q_norm.weight",
                               "k_norm.weight",
                               "q_layernorm.bias",
                               "norm_k.weight",
                               "norm.weight",
                               "norm.bias",
                               "input_layernorm.weight",
                               "block_norm.weight",
                               "q_conv1d.weight",
                               "A_log"}) {
        EXPECT_NE(complaint(with(before), heads), "nothing was thrown") << before;
    }
    EXPECT_EQ(complaint(with("k_norm.weight"), heads),
              "w: attn.k_norm.weight: queries or keys are normalised, which is not linear in the "
              "token; record what this norm puts out, compute the states and bring s and u: "
              "--layer moments, docs/families.md 3.11");
    EXPECT_NE(complaint(with("norm.weight"), heads).find("record the tokens that it puts out"),
              std::string::npos);
    EXPECT_NE(complaint(with("block_norm.weight")).find("its name does not say"), std::string::npos)
        << "not a norm of keys";
    EXPECT_NE(complaint(with("A_log")).find("DeltaNet"), std::string::npos);
}

TEST(ImportedLayer, NamesTheLayersOfAWholeModel) {
    Weights model{"w", "", {}};
    model.tensors["emb.weight"] = counting(9, 4);
    for (const auto& [name, weight] : two_heads().tensors) {
        model.tensors["layers.0." + name] = weight;
        model.tensors["layers.1." + name] = weight;
    }
    EXPECT_EQ(complaint(model),
              "w: 'emb.weight' is no weight of one layer; one layer is imported at a time, as each "
              "has inputs of its own: --prefix 'layers.0.', 'layers.1.'; or --all");
    Weights part{"w", "layers.", {}};
    part.tensors["0.q_proj.weight"] = counting(4, 4);
    EXPECT_NE(complaint(part).find("--prefix 'layers.0.'"), std::string::npos);
}

TEST(TrainedLayer, NamesTheWayOfALayerThatNoWeightsAloneMake) {
    const std::string delta =
        test::error_message<UnknownName>([] { (void)trained_layer_named("gated-delta"); });
    EXPECT_NE(delta.find("DeltaNet"), std::string::npos) << delta;
    EXPECT_NE(delta.find("--layer delta"), std::string::npos);
    EXPECT_NE(test::error_message<UnknownName>([] {
                  (void)trained_layer_named("softmax");
              }).find("attest distil"),
              std::string::npos);
    EXPECT_NE(test::error_message<UnknownName>([] {
                  (void)trained_layer_named("lineal");
              }).find("nearest: linear"),
              std::string::npos);
    EXPECT_NE(test::error_message<UnknownName>([] { (void)layer_named("kda"); }).find("DeltaNet"),
              std::string::npos);
}

TEST(ImportedLayer, RefusesARequestThatLeavesSomethingOpen) {
    EXPECT_SAYS(complaint(two_heads(), {.as = TrainedLayer::retention, .heads = 2}), "--rotary");
    EXPECT_SAYS(complaint(two_heads(), {.as = TrainedLayer::simple_gla, .heads = 2}), "--head");
    EXPECT_SAYS(complaint(two_heads(), {.heads = 3}),
                "w: attn.queries: 4 rows are not those of 3 heads");
    Weights missing = two_heads();
    missing.tensors.erase("o_proj.weight");
    EXPECT_EQ(complaint(missing), "w: attn.o_proj.weight: is missing");
    EXPECT_EQ(imported_layer(missing, {.heads = 2, .output = ImportedOutput::heads}).o, 4);
}

}  // namespace
}  // namespace attest

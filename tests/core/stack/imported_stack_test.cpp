#include "core/stack/imported_stack.hpp"

#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace attest::test {
namespace {

/// Small numbers that differ from each other and from those of another start.
Weight numbers(std::vector<Index> shape, double start) {
    Index count = 1;
    for (const Index size : shape) {
        count *= size;
    }
    Weight weight{std::move(shape), {}};
    for (Index i = 0; i < count; ++i) {
        weight.values.push_back(start + 0.25 * static_cast<double>(i));
    }
    return weight;
}

/// Two layers of two heads of size 2 on tokens of 4 numbers, under `front`.
Weights weights_of_two_layers(const std::string& front = "model.layers.") {
    Weights weights{"w", "", {}};
    double start = 1.0;
    for (const char* layer : {"0.", "1."}) {
        for (const char* name : {"q_proj", "k_proj", "v_proj", "o_proj"}) {
            weights.tensors[front + layer + "attn." + name + ".weight"] = numbers({4, 4}, start++);
        }
    }
    return weights;
}

StackImportRequest plainly() {
    StackImportRequest request;
    request.heads = 2;
    request.scale = 1.0;
    return request;
}

std::vector<double> array_of(const Stack& stack, const std::string& name) {
    for (const NamedSlot& each : named_slots(stack.shape)) {
        if (each.name == name) {
            const auto first = stack.parameters.begin() + each.slot.first;
            return {first, first + each.slot.size()};
        }
    }
    return {};
}

using Change = std::function<void(Weights&)>;

ImportedStack imported(const Change& change, const StackImportRequest& request = plainly()) {
    Weights weights = weights_of_two_layers();
    change(weights);
    return imported_stack(weights, request);
}

const std::string kLayer = "model.layers.1.";

TEST(ImportedStack, HeadsAreRowsOfQueriesKeysAndValuesAndColumnsOfTheOutput) {
    const Stack stack = imported_stack(weights_of_two_layers(), plainly()).stack;
    EXPECT_EQ(in_words(stack.shape), "2 layers, each 2 heads of sizes 2 and 2");
    EXPECT_EQ(stack.shape.d, 4);
    const Matrix V = weights_of_two_layers().matrix(kLayer + "attn.v_proj.weight");
    const Matrix O = weights_of_two_layers().matrix(kLayer + "attn.o_proj.weight");
    EXPECT_EQ(array_of(stack, "layers.1.groups.1.V").front(), V(2, 0));
    EXPECT_EQ(array_of(stack, "layers.1.heads.1.O"),
              (std::vector<double>{
                  O(0, 2), O(0, 3), O(1, 2), O(1, 3), O(2, 2), O(2, 3), O(3, 2), O(3, 3)}));
}

TEST(ImportedStack, QueriesCarryTheFactorOfTheScores) {
    StackImportRequest request = plainly();
    request.scale.reset();
    const Stack scaled = imported_stack(weights_of_two_layers(), request).stack;
    const Stack plain = imported_stack(weights_of_two_layers(), plainly()).stack;
    const std::vector<double> entries = array_of(plain, "layers.0.heads.1.Q");
    for (std::size_t i = 0; i < entries.size(); ++i) {
        EXPECT_EQ(array_of(scaled, "layers.0.heads.1.Q")[i], entries[i] * (1.0 / std::sqrt(2.0)));
    }
    EXPECT_EQ(array_of(scaled, "layers.0.groups.1.K"), array_of(plain, "layers.0.groups.1.K"));
}

TEST(ImportedStack, OtherNamesOfTheSamePartsGiveTheSameStack) {
    const Stack expected = imported_stack(weights_of_two_layers(), plainly()).stack;
    for (const auto& [old_name, name] : std::vector<std::pair<std::string, std::string>>{
             {"q_proj", "to_q"}, {"k_proj", "key"}, {"v_proj", "wv"}, {"o_proj", "out_proj"}}) {
        const Stack found =
            imported([&, &from = old_name, &to = name](Weights& weights) {
                auto node = weights.tensors.extract(formatted("{}attn.{}.weight", kLayer, from));
                node.key() = formatted("{}self_attn.{}.weight", kLayer, to);
                weights.tensors.insert(std::move(node));
            }).stack;
        EXPECT_EQ(found.parameters, expected.parameters) << name;
    }
}

TEST(ImportedStack, PackedWeightsAreTheThreeOneBelowTheOther) {
    const Stack found =
        imported([](Weights& weights) {
            Weight packed{{12, 4}, {}};
            for (const char* name : {"q_proj", "k_proj", "v_proj"}) {
                const auto node = weights.tensors.extract(kLayer + "attn." + name + ".weight");
                packed.values.insert(
                    packed.values.end(), node.mapped().values.begin(), node.mapped().values.end());
            }
            weights.tensors[kLayer + "attn.in_proj_weight"] = packed;
        }).stack;
    EXPECT_EQ(found.parameters,
              imported_stack(weights_of_two_layers(), plainly()).stack.parameters);
}

TEST(ImportedStack, NoWeightIsLostBesideAnother) {
    EXPECT_REFUSED("1.attn.q_proj.bias: nothing reads it", imported([](Weights& weights) {
                       Weight packed{{12, 4}, std::vector<double>(48, 1.0)};
                       for (const char* name : {"q_proj", "k_proj", "v_proj"}) {
                           weights.tensors.erase(kLayer + "attn." + name + ".weight");
                       }
                       weights.tensors[kLayer + "attn.in_proj_weight"] = packed;
                       weights.tensors[kLayer + "attn.q_proj.bias"] = numbers({4}, 2);
                   }));
    StackImportRequest request = plainly();
    request.activation = Activation::gelu;
    EXPECT_REFUSED("no layer has an MLP", imported([](Weights&) {}, request));
}

TEST(ImportedStack, RowsOfKeysTellHowManyHeadsShareThem) {
    const Stack found =
        imported([](Weights& weights) {
            for (const char* name : {"k_proj", "v_proj"}) {
                weights.tensors[kLayer + "attn." + name + ".weight"] = numbers({2, 4}, 9);
            }
        }).stack;
    EXPECT_EQ(found.shape.layers[0].groups, 2);
    EXPECT_EQ(found.shape.layers[1].groups, 1);
}

TEST(ImportedStack, BiasesNormsAndMlpsAreThere) {
    StackImportRequest request = plainly();
    request.norm = StackNorm::rms_gain;
    request.epsilon = 1e-6;
    request.activation = Activation::gelu;
    request.residual = true;
    const ImportedStack found = imported(
        [](Weights& weights) {
            for (const std::string layer : {"model.layers.0.", "model.layers.1."}) {
                weights.tensors[layer + "attn.q_proj.bias"] = numbers({4}, 3);
                weights.tensors[layer + "input_layernorm.weight"] = numbers({4}, 4);
                weights.tensors[layer + "norm2.weight"] = numbers({4}, 5);
                weights.tensors[layer + "mlp.c_fc.weight"] = numbers({5, 4}, 6);
                weights.tensors[layer + "mlp.c_proj.weight"] = numbers({4, 5}, 7);
            }
            weights.tensors["model.norm.weight"] = numbers({4}, 8);
            weights.tensors["model.embed_tokens.weight"] = numbers({9, 4}, 8);
        },
        [&] {
            request.left_out = {"model.embed"};
            return request;
        }());
    EXPECT_EQ(found.left_out, (std::vector<std::string>{"model.embed_tokens.weight"}));
    const StackLayer& layer = found.stack.shape.layers[1];
    EXPECT_TRUE(layer.query_bias && !layer.key_bias && !layer.mlp_biases && layer.residual);
    EXPECT_EQ(layer.width, 5);
    EXPECT_EQ(found.stack.shape.final_norm, StackNorm::rms_gain);
    EXPECT_EQ(array_of(found.stack, "layers.1.heads.1.query_bias"),
              (std::vector<double>{3.5, 3.75}));
    EXPECT_EQ(array_of(found.stack, "layers.0.mlp.gain").front(), 5.0);
    EXPECT_EQ(array_of(found.stack, "final.gain").front(), 8.0);
}

/// Scores of keys k_i and queries q_j whose entries i and i + a/2 turn together.
TEST(ImportedStack, RotationByHalvesTurnsTheSameEntriesTogether) {
    StackImportRequest request = plainly();
    request.heads = 1;
    request.rotary = RotaryPairs::halves;
    const Stack stack = imported_stack(weights_of_two_layers("layers."), request).stack;
    const Matrix K = weights_of_two_layers("").matrix("0.attn.k_proj.weight");
    EXPECT_EQ(array_of(stack, "layers.0.groups.0.K")[4], K(2, 0)) << "row 1 is row 0 + a/2";
    EXPECT_EQ(stack.constants[0].angles, (std::vector<double>{1.0, std::pow(10000.0, -0.5)}));
    request.rotary = RotaryPairs::neighbours;
    EXPECT_EQ(
        array_of(imported_stack(weights_of_two_layers(), request).stack, "layers.0.groups.0.K")[4],
        K(1, 0));
    const ImportedStack given = imported(
        [](Weights& weights) {
            weights.tensors[kLayer + "attn.rotary_emb.inv_freq"] = numbers({2}, 0.5);
        },
        request);
    EXPECT_EQ(given.stack.constants[1].angles, (std::vector<double>{0.5, 0.75}));
}

TEST(ImportedStack, ThePatternTellsLayersFromOtherNumbers) {
    const auto with_others = [](Weights& weights) {
        weights.tensors["vision.0.q_proj.weight"] = numbers({4, 4}, 1);
    };
    EXPECT_REFUSED("--pattern", imported(with_others));
    StackImportRequest request = plainly();
    request.pattern = "model.layers.{}";
    EXPECT_REFUSED("vision.0.q_proj.weight", imported(with_others, request));
    request.left_out = {"vision."};
    EXPECT_EQ(imported(with_others, request).stack.shape.layers.size(), 2U);
    for (const char* pattern : {"model.layers", "{}.attn", "model.{}.layers.{}"}) {
        request.pattern = pattern;
        EXPECT_REFUSED(pattern, imported(with_others, request));
    }
}

struct Refused {
    const char* name;  ///< of a weight that is added, of 4×4 unless it ends with a point
    const char* words;
};

TEST(ImportedStack, EveryOtherWeightIsRefusedByNameWithThePlaceToHook) {
    for (const Refused& each : {
             Refused{"mlp.gate_proj.weight", "gated MLP, which no stack has; hook"},
             Refused{"attn.q_norm.weight", "queries or keys"},
             Refused{"attn.conv1d.weight", "recurrence"},
             Refused{"strange.weight", "rename it"},
             Refused{"attn.q_proj.lora_A", "rename it"},
             Refused{"mlp.fc1.weight", "--mlp"},
             Refused{"norm1.weight", "--norm rms"},
             Refused{"norm1.bias", "LayerNorm"},
             Refused{"attn.rotary_emb.inv_freq", "--rotary-pairs"},
             Refused{"attn.query.weight", "stands for the same as"},
             Refused{"attn.in_proj_weight", "beside queries"},
             Refused{"mlp.fc1.bias", "nothing reads it"},
         }) {
        const std::string name = kLayer + each.name;
        const auto add = [&](Weights& weights) { weights.tensors[name] = numbers({4, 4}, 2); };
        EXPECT_REFUSED(each.words, imported(add));
        EXPECT_REFUSED(name.substr(0, name.rfind('.')), imported(add));
    }
    for (const Refused& each : {Refused{"lm_head.weight", "reads what the stack puts out"},
                                Refused{"model.embed_tokens.weight", "stands before the layers"},
                                Refused{"model.norm.weight", "--norm rms"},
                                Refused{"model.embed.norm.weight", "stands before the layers"},
                                Refused{"model.thing", "rename it"}}) {
        EXPECT_REFUSED(each.words, imported([&](Weights& weights) {
                           weights.tensors[each.name] = numbers({4, 4}, 2);
                       }));
    }
}

TEST(ImportedStack, LayersThatAreMissingOrNumberedStrangelyAreRefused) {
    const auto renumbered = [](const std::string& number) {
        return [number](Weights& weights) {
            Weights other = weights_of_two_layers();
            weights.tensors.clear();
            for (auto& [name, weight] : other.tensors) {
                std::string moved = name;
                if (moved.starts_with(kLayer)) {
                    moved.replace(std::string("model.layers.").size(), 1, number);
                }
                weights.tensors[moved] = std::move(weight);
            }
        };
    };
    EXPECT_REFUSED("model.layers.1 is missing", imported(renumbered("7")));
    EXPECT_REFUSED("stands for the same as", imported(renumbered("00")));
    EXPECT_REFUSED("model.layers.99999999999999999999.attn",
                   imported(renumbered("99999999999999999999")));
    EXPECT_REFUSED("no name has the number of a layer",
                   imported_stack({"w", "", {{"q_proj.weight", numbers({4, 4}, 1)}}}, plainly()));
    EXPECT_REFUSED("has no v_proj", imported([](Weights& weights) {
                       weights.tensors.erase(kLayer + "attn.v_proj.weight");
                   }));
}

TEST(ImportedStack, ShapesThatDoNotFitAreNamed) {
    const auto reshaped = [](const std::string& name, const std::vector<Index>& shape) {
        return [=](Weights& weights) { weights.tensors[kLayer + name] = numbers(shape, 1); };
    };
    EXPECT_REFUSED("k_proj.weight: has 3 rows", imported(reshaped("attn.k_proj.weight", {3, 4})));
    EXPECT_REFUSED("q_proj.weight: has 5 columns",
                   imported(reshaped("attn.q_proj.weight", {4, 5})));
    EXPECT_REFUSED("o_proj.weight: is 4x6", imported(reshaped("attn.o_proj.weight", {4, 6})));
    EXPECT_REFUSED("o_proj.weight: is 5x4", imported(reshaped("attn.o_proj.weight", {5, 4})));
    EXPECT_REFUSED("q_proj.weight: has 3 rows", imported(reshaped("attn.q_proj.weight", {3, 4})));
    EXPECT_REFUSED("expected a matrix", imported(reshaped("attn.q_proj.weight", {4})));
    EXPECT_REFUSED("expected a matrix", imported(reshaped("attn.q_proj.weight", {0, 4})));
    EXPECT_REFUSED("expected a vector of 4", imported(reshaped("attn.q_proj.bias", {3})));
    StackImportRequest request = plainly();
    request.activation = Activation::relu;
    EXPECT_REFUSED("has no fc2", imported(reshaped("fc1.weight", {5, 4}), request));
    EXPECT_REFUSED("expected mx4 and 4xm",
                   imported(
                       [](Weights& weights) {
                           weights.tensors[kLayer + "fc1.weight"] = numbers({4, 5}, 1);
                           weights.tensors[kLayer + "fc2.weight"] = numbers({5, 4}, 1);
                       },
                       request));
    request.norm = StackNorm::rms_gain;
    EXPECT_REFUSED("no gain of the norm before attention", imported([](Weights&) {}, request));
    request = plainly();
    request.left_out = {"nothing"};
    EXPECT_REFUSED("no weight begins with 'nothing'", imported([](Weights&) {}, request));
    request.left_out = {""};
    EXPECT_REFUSED("no weight is left", imported([](Weights&) {}, request));
    request = plainly();
    request.heads = 4;
    request.rotary = RotaryPairs::halves;
    EXPECT_REFUSED("rotation turns pairs", imported([](Weights&) {}, request));
}

}  // namespace
}  // namespace attest::test

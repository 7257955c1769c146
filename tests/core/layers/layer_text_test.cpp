#include "core/base/error.hpp"
#include "core/layers/feature_words.hpp"
#include "core/layers/parse_layer.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/layer_examples.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace attest {

namespace {

TEST(LayerText, IsCanonicalWhateverTheSpelling) {
    const std::vector<std::pair<std::string, std::string>> spellings{
        {"linear", "linear"},
        {"decay=1", "decay=1"},
        {" decay=0.5 ", "decay=1/2"},
        {"affine decay=2/4,0.96875", "decay=1/2,31/32 affine"},
        {"cross affine gates=scalar", "gates cross affine"},
        {"degree=2..2", "degree=2"},
        {"cross gates=vector delta", "delta gates=vector cross"},
        {"window=3 window=5", "window=3,5"},
        {"decay=1/2 window=3 decay=1/4", "decay=1/2 window=3 decay=1/4"},
        {"lags=2 lags=1", "lags=2 lags=1"},
        {"table=1:0.5:-0.25,0:1", "table=1:1/2:-1/4,0:1"}};
    for (const auto& [given, canonical] : spellings) {
        EXPECT_EQ(to_string(layer_named(given)), canonical) << given;
        EXPECT_EQ(layer_named(canonical), layer_named(given)) << given;
    }
}

TEST(LayerText, OfEveryExampleIsItsOwnCanonicalForm) {
    for (const std::string& text : test::layer_texts()) {
        EXPECT_EQ(to_string(layer_named(text)), text);
    }
    for (const LayerWord& word : layer_words()) {
        if (!word.example.starts_with("rotary")) {
            EXPECT_EQ(to_string(layer_named(word.example)), word.example);
        }
    }
}

TEST(LayerText, OfRotationsIsThatOfTheirTables) {
    const Layer layer = layer_named("rotary=1/2,3:3");
    ASSERT_EQ(layer.kernels.size(), 4U);
    for (Index delta = 0; delta < 3; ++delta) {
        const auto at = static_cast<std::size_t>(delta);
        const auto angle = static_cast<double>(delta);
        // A library's cosine may differ from the nearest double in the last place.
        EXPECT_NEAR(
            layer.kernels[0].values[at].convert_to<double>(), std::cos(angle / 2.0), 0x1p-52);
        EXPECT_NEAR(
            layer.kernels[1].values[at].convert_to<double>(), std::sin(angle / 2.0), 0x1p-52);
        EXPECT_NEAR(
            layer.kernels[2].values[at].convert_to<double>(), std::cos(3.0 * angle), 0x1p-52);
        EXPECT_NEAR(
            layer.kernels[3].values[at].convert_to<double>(), std::sin(3.0 * angle), 0x1p-52);
    }
    EXPECT_TRUE(to_string(layer).starts_with("table=1:"));
    EXPECT_EQ(layer_named(to_string(layer)), layer);
    EXPECT_THROW((void)layer_named("rotary=1"), InvalidInput) << "no length";
    EXPECT_THROW((void)layer_named("rotary=1:0"), InvalidInput);
}

TEST(LayerText, RefusesWhatIsNoLayer) {
    for (const std::string_view text : {"",
                                        "  ",
                                        "decay=",
                                        "decay=0",
                                        "decay=-1/2",
                                        "decay=33/32",
                                        "decay=1/0",
                                        "decay=1.5/2",
                                        "table=1/2.5",
                                        "decay=a",
                                        "decay=1/2/3",
                                        "decay=1e-3",
                                        "window=0",
                                        "window=1.5",
                                        "lags=0",
                                        "degree=13",
                                        "degree=2..1",
                                        "gates=matrix",
                                        "affine=1",
                                        "table=1::2",
                                        "decay=1 gates",
                                        "moments affine",
                                        "degree=2 cross",
                                        "mapped affine",
                                        "mapped cross",
                                        "delta affine",
                                        "delta decay=1/2",
                                        "delta=2",
                                        "gates=vector affine",
                                        "decay=1/1000000000001"}) {
        EXPECT_THROW((void)layer_named(text), InvalidInput) << "'" << text << "'";
    }
    EXPECT_THROW((void)layer_named("decoy=1/2"), UnknownName);
    EXPECT_REFUSED("layer: got 'decay=33/32'", layer_named("decay=33/32"));
}

TEST(LayerText, NeedsTheDataToHaveWhatItReads) {
    EXPECT_THROW((void)layout_of(layer_named("cross"), {.d = 2}), InvalidInput);
    EXPECT_THROW((void)layout_of(layer_named("mapped"), {.d = 2}), InvalidInput);
    EXPECT_THROW((void)layout_of(layer_named("moments"), {.d = 2}), InvalidInput);
    EXPECT_REFUSED("layer delta: the data have no keys", layout_of(layer_named("delta"), {.d = 2}));
}

TEST(LayerSizes, AreRefusedWhereAStateWouldFillTheMachine) {
    EXPECT_REFUSED(
        "layer degree=12: on tokens of dimension 1000 its state would have 1.73562e+29 entries",
        layout_of(layer_named("degree=12"), {.d = 1000}));
    EXPECT_THROW((void)layout_of(layer_named("lags=999"), {.d = 1000}), InvalidInput);
    EXPECT_THROW((void)layout_of(layer_named("mapped"), {.d = 1000000, .phi = 34}), InvalidInput);
}

TEST(LayerSizes, AreThoseOfTheFormulas) {
    const LayerInput input{.d = 3, .x = 2, .phi = 4, .state = 5, .query = 6};
    const std::vector<std::tuple<std::string, Index, Index, Index>> expected{
        {"linear", 6, 3, 18},
        {"decay=1,1/2", 12, 3, 36},
        {"lags=2", 18, 3, 54},
        {"affine", 11, 4, 44},
        {"decay=1,1/2 affine", 21, 4, 84},
        {"cross", 6, 2, 12},
        {"cross affine", 11, 3, 33},
        {"mapped", 12, 4, 48},
        {"gates=vector", 9, 3, 27},
        {"delta", 12, 3, 36},
        {"delta gates=vector cross", 12, 2, 24},
        {"degree=2", 10, 6, 60},
        {"degree=0..2", 19, 10, 3 + 18 + 60},
        {"moments", 5, 6, 30}};
    for (const auto& [text, q, m, psi] : expected) {
        const FeatureLayout layout = layout_of(layer_named(text), input);
        EXPECT_EQ(layout.q(), q) << text;
        EXPECT_EQ(layout.m(), m) << text;
        EXPECT_EQ(layout.psi(), psi) << text;
    }
}

std::vector<std::string> words_of(const std::string& layer, const LayerInput& input) {
    const FeatureWords words(layer_named(layer), input);
    std::vector<std::string> features;
    for (Index i = 0; i < words.layout().psi(); ++i) {
        features.push_back(words.feature(i));
    }
    return features;
}

using Texts = std::vector<std::string>;

TEST(FeatureWords, OfThePapersLayerAreInItsOrder) {
    EXPECT_EQ(words_of("linear", {.d = 2}),
              (Texts{"S_12 z_1", "S_12 z_2", "S_11 z_1", "S_11 z_2", "S_22 z_1", "S_22 z_2"}));
    EXPECT_EQ(FeatureWords(12).feature(10 * 12 + 3), "S_1,12 z_4");
}

TEST(FeatureWords, OfOtherLayersSayTheSumAndWhatAsks) {
    EXPECT_EQ(words_of("decay=1,1/2", {.d = 1}), (Texts{"S[1]_11 z_1", "S[2]_11 z_1"}));
    EXPECT_EQ(
        words_of("affine", {.d = 1}),
        (Texts{"S_01 1", "S_01 z_1", "S_00 1", "S_00 z_1", "S_11 1", "S_11 z_1", "1 1", "1 z_1"}));
    EXPECT_EQ(words_of("cross", {.d = 1, .x = 2}), (Texts{"S_11 x_1", "S_11 x_2"}));
    EXPECT_EQ(words_of("mapped", {.d = 1, .phi = 2}),
              (Texts{"M_11 phi_1", "M_11 phi_2", "M_12 phi_1", "M_12 phi_2"}));
    EXPECT_EQ(words_of("degree=0..1", {.d = 1}), (Texts{"S_1 1", "S_11 z_1"}));
    EXPECT_EQ(words_of("moments", {.state = 2, .query = 1}), (Texts{"s_1 u_1", "s_2 u_1"}));
}

TEST(FeatureWords, TellsOrderedEntriesApart) {
    const FeatureWords gates(layer_named("gates=vector"), {.d = 2});
    EXPECT_TRUE(gates.state(1).ordered);
    EXPECT_EQ(to_string(gates.state(1)), "M_12");
    EXPECT_FALSE(FeatureWords(2).state(0).ordered);
}

}  // namespace

}  // namespace attest

#include "core/stack/dimension.hpp"

#include "core/stack/dimension_bound.hpp"
#include "tests/core/stack/stacks.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>

namespace attest::test {
namespace {

struct Known {
    std::string name;
    StackShape shape;
    Index tokens;
    Index dimension;
};

void residual(StackLayer& layer) {
    layer.residual = true;
}

void softmax(StackLayer& layer) {
    layer.score = StackScore::softmax;
}

void softmax_residual(StackLayer& layer) {
    layer.score = StackScore::softmax;
    layer.residual = true;
}

void all_biases(StackLayer& layer) {
    layer.query_bias = layer.key_bias = layer.value_bias = layer.output_bias = true;
}

StackShape last_token(StackShape shape) {
    shape.readout = Readout::last;
    return shape;
}

/// Ranks found by two other programs, in other arithmetic; (d, a, v, heads, layers).
// NOLINTNEXTLINE(readability-function-size): a table
std::vector<Known> known_dimensions() {
    std::vector<Known> known{
        {"one layer, filled", stack_shape(2, 1, 1, 3, 1), 2, 12},
        {"many small heads", stack_shape(3, 1, 1, 5, 1), 2, 45},
        {"heads that mix", stack_shape(3, 2, 3, 3, 1), 2, 45},
        {"heads that mix, larger", stack_shape(4, 3, 3, 4, 1), 2, 112},
        {"all cubic maps", stack_shape(3, 3, 3, 4, 1), 2, 54},
        {"three layers", stack_shape(2, 2, 2, 2, 3), 2, 28},
        {"a bottleneck", stack_shape(4, 1, 1, 2, 2), 2, 32},
        {"one head a layer", stack_shape(3, 2, 3, 1, 3), 2, 30},
        {"last token",
         last_token(stack_shape(
             3, 3, 3, 2, 2, [](StackLayer& layer) { layer.residual = layer.causal = true; })),
         3,
         64},
        {"residual, filled", stack_shape(2, 2, 2, 2, 3, residual), 2, 36},
        {"one group",
         stack_shape(3,
                     2,
                     2,
                     3,
                     2,
                     [](StackLayer& layer) {
                         layer.residual = true;
                         layer.groups = 1;
                     }),
         2,
         62},
        {"more heads in a group than it holds",
         stack_shape(3, 1, 1, 4, 1, [](StackLayer& layer) { layer.groups = 1; }),
         2,
         13},
        {"fixed decays",
         stack_shape(2, 2, 2, 3, 1, [](StackLayer& layer) { layer.decay = StackDecay::fixed; }),
         3,
         21},
        {"learned decays",
         stack_shape(2, 2, 2, 3, 1, [](StackLayer& layer) { layer.decay = StackDecay::learned; }),
         3,
         24},
        {"fixed decays, filled",
         stack_shape(2, 2, 2, 3, 1, [](StackLayer& layer) { layer.decay = StackDecay::fixed; }),
         2,
         20},
        {"biases",
         stack_shape(3,
                     1,
                     1,
                     2,
                     2,
                     [](StackLayer& layer) {
                         layer.residual = true;
                         all_biases(layer);
                     }),
         3,
         51},
        {"a cubic MLP",
         stack_shape(2,
                     1,
                     1,
                     1,
                     2,
                     [](StackLayer& layer) {
                         layer.residual = true;
                         layer.activation = Activation::cube;
                         layer.width = 3;
                     }),
         2,
         26},
        {"rotary keys",
         stack_shape(
             4,
             4,
             2,
             1,
             1,
             [](StackLayer& layer) { layer.residual = layer.causal = layer.rotary = true; }),
         3,
         39},
        {"softmax", stack_shape(3, 1, 1, 2, 1, softmax), 3, 20},
        {"softmax, two layers", stack_shape(4, 2, 2, 2, 2, softmax), 3, 80},
        {"softmax, residual", stack_shape(4, 2, 2, 2, 2, softmax_residual), 3, 96},
        {"softmax, biases",
         stack_shape(3,
                     1,
                     1,
                     2,
                     2,
                     [](StackLayer& layer) {
                         softmax_residual(layer);
                         all_biases(layer);
                     }),
         3,
         47},
    };
    // Figure 3 of arXiv 2408.17221: two layers of one softmax head.
    const std::vector<Index> figure{25, 40, 57, 76, 97, 120, 145, 172};
    for (std::size_t k = 0; k < figure.size(); ++k) {
        const auto d = static_cast<Index>(k) + 3;
        known.push_back(
            {formatted("figure 3, d = {}", d), stack_shape(d, 2, d, 1, 2, softmax), 3, figure[k]});
    }
    for (const auto& [width, dimension] :
         {std::pair<Index, Index>{2, 19}, {3, 24}, {4, 27}, {5, 27}, {6, 27}}) {
        known.push_back({formatted("a square MLP of width {}", width),
                         stack_shape(3,
                                     1,
                                     1,
                                     1,
                                     1,
                                     [width = width](StackLayer& layer) {
                                         layer.residual = true;
                                         layer.activation = Activation::square;
                                         layer.width = width;
                                     }),
                         2,
                         dimension});
    }
    return known;
}

TEST(Dimension, IsProvedToBeWhatOtherProgramsFound) {
    for (const Known& each : known_dimensions()) {
        const StackDimension found = dimension({each.shape, each.tokens, 1});
        EXPECT_EQ(found.rank, each.dimension) << each.name;
        EXPECT_NE(found.proof, DimensionProof::none) << each.name;
        EXPECT_EQ(found.examples_least, (each.dimension + found.outputs - 1) / found.outputs);
    }
}

/// Linear stacks of so many layers of heads of these sizes: d, keys a, values v.
void expect_bound_met(Index d, Index a, Index v) {
    for (Index heads = 1; heads <= 4; ++heads) {
        for (Index layers = 1; layers <= 3; ++layers) {
            for (const bool with_residual : {false, true}) {
                const StackShape shape =
                    stack_shape(d, a, v, heads, layers, [&](StackLayer& layer) {
                        layer.residual = with_residual;
                    });
                const StackDimension found = dimension({shape, 2, 0});
                EXPECT_EQ(found.rank, dimension_bound(shape, 2)) << in_words(shape);
            }
        }
    }
}

TEST(Dimension, OfALinearStackIsItsBoundAtEverySize) {
    for (Index d = 1; d <= 3; ++d) {
        for (Index a = 1; a <= d; ++a) {
            for (Index v = 1; v <= d; ++v) {
                expect_bound_met(d, a, v);
            }
        }
    }
}

/// A narrow layer in front of a wide one: the wide one's outputs are dependent, so that a basis
/// between it and the last layer costs less than its size squared.
TEST(Dimension, OfALayerThatWidensIsNotUnderItsRank) {
    StackShape shape = stack_shape(4, 1, 1, 1, 3);
    shape.layers[1].heads = shape.layers[1].groups = 4;
    const StackDimension found = dimension({shape, 2, 0});
    EXPECT_GE(found.rank, 13);
    EXPECT_LE(found.rank, found.upper);
    EXPECT_GE(*found.bound, found.rank);
}

/// One token sees cubic monomials alone: (3, 2, 2, 2) has 26, and no bound here meets it.
TEST(Dimension, ThatNothingMeetsFromAboveIsNotCalledProved) {
    const StackDimension found = dimension({stack_shape(3, 2, 2, 2, 1), 1, 0});
    EXPECT_EQ(found.rank, 26);
    EXPECT_GT(found.upper, 26);
    EXPECT_EQ(found.proof, DimensionProof::none);
}

TEST(Dimension, InDoublesAgreesWithTheProvedOne) {
    for (const Known& each : known_dimensions()) {
        // Cubes of cubes span more than doubles tell apart.
        const bool deep = each.shape.layers.front().activation == Activation::cube;
        if (each.dimension <= 60 && !deep) {
            const StackDimension found = dimension({each.shape, each.tokens, 1, true});
            EXPECT_EQ(found.rank, each.dimension) << each.name;
            EXPECT_EQ(found.proof, DimensionProof::none);
            EXPECT_FALSE(found.point.has_value());
        }
    }
}

TEST(Dimension, OfATransformerIsNumerical) {
    const StackShape shape = stack_shape(2, 1, 1, 1, 2, [](StackLayer& layer) {
        softmax_residual(layer);
        all_biases(layer);
        layer.norm = StackNorm::rms_gain;
        layer.activation = Activation::gelu;
        layer.width = 3;
        layer.mlp_biases = true;
    });
    const StackDimension found = dimension({shape, 3, 1});
    EXPECT_EQ(found.rank, 52);
    EXPECT_EQ(found.upper, 52) << "symmetries lose 16 of 68";
    EXPECT_EQ(found.arithmetic, StackArithmetic::floating);
    ASSERT_TRUE(found.gap.has_value());
    EXPECT_GT(found.gap->last, 1e3 * found.gap->next);
}

TEST(Dimension, OfThreeSoftmaxLayersIsNumericalToo) {
    const StackDimension found = dimension({stack_shape(2, 1, 1, 1, 3, softmax_residual), 3, 1});
    EXPECT_EQ(found.arithmetic, StackArithmetic::floating);
    EXPECT_EQ(found.rank, 18);
}

TEST(Dimension, IsTheSameForTheSameSeed) {
    const DimensionRequest request{stack_shape(3, 2, 2, 2, 2), 2, 7};
    EXPECT_EQ(dimension(request).point->parameters, dimension(request).point->parameters);
}

TEST(Dimension, RefusesWhatDoesNotFit) {
    StackShape shape = stack_shape(3, 1, 1, 3, 1);
    shape.layers[0].groups = 2;
    EXPECT_EQ(invalid_input_message([&] {
                  static_cast<void>(dimension({shape, 2, 0}));
              }),
              "layer 0: 3 heads do not divide into 2 groups of equal size");
    EXPECT_EQ(invalid_input_message([&] {
                  static_cast<void>(dimension({stack_shape(2, 1, 1, 1, 1), 0, 0}));
              }),
              "dimension: got 0 tokens, expected at least 1");
}

double seconds_of(const StackShape& shape, Index tokens, bool numerical = false) {
    return dimension_seconds({shape, tokens, 0, numerical});
}

TEST(DimensionSeconds, GrowWithTokensAndTheArithmeticThatTheScoresNeed) {
    const StackShape linear = stack_shape(8, 8, 8, 4, 2);
    const double fewer = seconds_of(linear, 3);
    const double more = seconds_of(linear, 6);
    const double most = seconds_of(linear, 9);
    EXPECT_GT(more, fewer);
    EXPECT_NEAR(most - more, more - fewer, 1e-9 * most) << "each token adds rows alike";

    EXPECT_GT(seconds_of(stack_shape(8, 8, 8, 4, 2, softmax), 3), fewer);
    EXPECT_EQ(seconds_of(linear, 3, true), seconds_of(linear, 9, true)) << "doubles: the SVD rules";
}

TEST(DimensionSeconds, OfDoublesGrowAsTheCubeOfTheParameters) {
    const StackShape one = stack_shape(8, 8, 8, 4, 1);
    const StackShape two = stack_shape(8, 8, 8, 4, 2);
    EXPECT_DOUBLE_EQ(seconds_of(two, 3, true), 8.0 * seconds_of(one, 3, true));
}

}  // namespace
}  // namespace attest::test

#include "core/stack/uniform_stack.hpp"

#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>

namespace attest::test {
namespace {

TEST(UniformStack, SizesThatAreNotGivenFollowFromTheOthers) {
    UniformStack sizes;
    sizes.d = 8;
    sizes.layers = 3;
    sizes.layer.heads = 4;
    sizes.layer.activation = Activation::relu;
    const StackShape shape = shape_of(sizes);
    ASSERT_EQ(shape.layers.size(), 3U);
    EXPECT_EQ(shape.layers[2].key_size, 2);
    EXPECT_EQ(shape.layers[2].value_size, 2);
    EXPECT_EQ(shape.layers[2].groups, 4);
    EXPECT_EQ(shape.layers[2].width, 32);
    sizes.layer.heads = 16;
    EXPECT_EQ(shape_of(sizes).layers[0].key_size, 1);
}

TEST(UniformStack, SizesThatAreGivenStand) {
    UniformStack sizes;
    sizes.d = 8;
    sizes.layer.heads = 4;
    sizes.layer.activation = Activation::gelu;
    sizes.layer.epsilon = 0.5;
    sizes.groups = 2;
    sizes.key_size = 3;
    sizes.value_size = 5;
    sizes.width = 7;
    const StackShape shape = shape_of(sizes);
    EXPECT_EQ(in_words(shape),
              "1 layer: 4 heads of sizes 3 and 5 in 2 groups, gelu MLP of width 7");
    EXPECT_EQ(shape.final_epsilon, 0.5);
}

TEST(UniformStack, WhatMakesNoSenseIsRefused) {
    UniformStack sizes;
    EXPECT_REFUSED("got d = 0", shape_of(sizes));
    sizes.d = 2;
    sizes.width = 3;
    EXPECT_REFUSED("a width belongs to an MLP", shape_of(sizes));
    sizes.layers = 0;
    EXPECT_REFUSED("0 layers", shape_of(sizes));
}

TEST(UniformStack, BiasesAreLetters) {
    const StackLayer layer = with_biases({}, "mq", "--biases");
    EXPECT_TRUE(layer.query_bias && layer.mlp_biases);
    EXPECT_FALSE(layer.key_bias || layer.value_bias || layer.output_bias);
    EXPECT_TRUE(with_biases({}, "kvo", "").value_bias);
    EXPECT_FAILS(UnknownName, "--biases: got 'qx'", with_biases({}, "qx", "--biases"));
}

}  // namespace
}  // namespace attest::test

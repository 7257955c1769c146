#include "core/audit/model_of.hpp"

#include "core/layers/parse_layer.hpp"
#include "tests/core/audit/planted_layers.hpp"

#include <gtest/gtest.h>

namespace attest {
namespace {

TEST(ModelOf, HasTheHeadsOfItsLayer) {
    test::PlantedLayer layer = test::healthy_layer();
    const DatasetSource source(layer.data);
    const Model linear = model_of(source, layer.model.P);
    EXPECT_EQ(num_heads(linear), linear.heads.num_heads());
    EXPECT_GT(num_heads(linear), 0);

    layer.data.layer = layer_named("decay=1/2");
    const DatasetSource decayed(layer.data);
    const Model other = model_of(decayed, layer.model.P);
    EXPECT_EQ(num_heads(other), std::ssize(other.layer_heads.heads));
    EXPECT_GT(num_heads(other), 0);
}

TEST(NumHeads, IsZeroForCoefficientsOnly) {
    EXPECT_EQ(num_heads({1, 1, Matrix::Zero(1, 1), {1, 1, {}}, ""}), 0);
}

}  // namespace
}  // namespace attest

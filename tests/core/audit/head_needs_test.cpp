#include "core/audit/head_needs.hpp"

#include "core/layers/parse_layer.hpp"
#include "tests/core/audit/planted_layers.hpp"

#include <gtest/gtest.h>

namespace attest {
namespace {

HeadNeeds needs_of(const test::PlantedLayer& layer, const Matrix& P) {
    const DatasetSource source(layer.data);
    return head_needs(FactoredSource(source), layer.model, P, 2.0, Stream(1));
}

TEST(HeadNeeds, LossFallsWithTheHeadsToNothing) {
    const test::PlantedLayer layer = test::healthy_layer();
    const Matrix generic = Matrix(layer.model.P).cwiseAbs().colwise().reverse();
    const HeadNeeds needs = needs_of(layer, generic);
    EXPECT_TRUE(needs.not_sought.empty());
    ASSERT_GE(needs.fewer.size(), 2U);
    for (std::size_t k = 1; k < needs.fewer.size(); ++k) {
        EXPECT_EQ(needs.fewer[k].heads, needs.fewer[k - 1].heads + 1);
        EXPECT_LE(needs.fewer[k].loss, needs.fewer[k - 1].loss);
    }
    EXPECT_GT(needs.fewer.front().loss, 0.0) << "one head is too few";
    ASSERT_TRUE(needs.found.has_value());
    EXPECT_GE(*needs.found, needs.at_least);
}

TEST(HeadNeeds, AreNotSoughtForZeroNorForOtherLayers) {
    test::PlantedLayer layer = test::healthy_layer();
    EXPECT_EQ(needs_of(layer, Matrix::Zero(18, 2)).not_sought, "the layer is zero");
    layer.data.layer = layer_named("decay=1/2");
    EXPECT_EQ(needs_of(layer, layer.model.P).not_sought,
              "fewer heads are sought for the layer linear only");
}

}  // namespace
}  // namespace attest

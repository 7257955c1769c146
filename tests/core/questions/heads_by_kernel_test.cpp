#include "core/questions/heads_by_kernel.hpp"

#include "core/features/coefficients.hpp"
#include "core/layers/parse_layer.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>

namespace attest::test {
namespace {

const Matrix kV1{{1, 0}};
const Matrix kV2{{0, 1}};
const Matrix kQ1{{1, 0}, {0, 0}};
const Matrix kQ2{{0, 0}, {1, 1}};

Model layer_of(const std::string& text, std::vector<LayerHead> heads) {
    Model model;
    model.d = 2;
    model.o = 1;
    model.layer = layer_named(text);
    model.input.d = 2;
    model.layer_heads.heads = std::move(heads);
    model.P = coefficients(model.layer, model.input, 1, model.layer_heads);
    return model;
}

KernelReduction reduced(const Model& model) {
    HeadRequest request;
    request.choice = HeadChoice::fewest;
    request.budget = 5.0;
    return reduce_heads_by_kernel(model, request, Stream(1), {});
}

TEST(HeadsByKernel, ThoseOfOneDecayMergeAndThoseOfTwoDoNot) {
    // Head 3 is twice head 1, of the same decay; head 2 is head 1 with another decay.
    const Model model =
        layer_of("decay=1,1/2", {{kV1, kQ1, 0}, {kV1, kQ1, 1}, {2.0 * kV1, kQ1, 0}});

    const KernelReduction found = reduced(model);

    EXPECT_EQ(found.num_heads(), 2);
    EXPECT_EQ(found.at_least(), 2) << "one for each decay, certified";
    EXPECT_TRUE(found.same_function());
    ASSERT_EQ(found.kernels.size(), 2U);
    EXPECT_EQ(found.kernels[0].before, 2);
    EXPECT_EQ(found.kernels[0].after, 1);
    const Matrix P = coefficients(model.layer, model.input, 1, found.heads);
    EXPECT_LE((P - model.P).norm(), 1e-12 * model.P.norm()) << "kSameFunction";
}

TEST(HeadsByKernel, OfADecayThatCancelIsNoneLeft) {
    const Model model = layer_of("decay=1,1/2", {{kV1, kQ1, 0}, {kV2, kQ2, 1}, {-kV2, kQ2, 1}});

    const KernelReduction found = reduced(model);

    EXPECT_EQ(found.num_heads(), 1);
    EXPECT_EQ(found.kernels[1].after, 0);
    EXPECT_EQ(found.at_least(), 1);
}

TEST(HeadsByKernel, BoundsAddUpOnlyWhereKernelsAreIndependent) {
    // The last two tokens are the last one and the one before it.
    const Model model = layer_of("window=2 lags=2", {{kV1, kQ1, 0}, {kV1, kQ1, 1}, {kV1, kQ1, 2}});

    const KernelReduction found = reduced(model);

    EXPECT_FALSE(found.independent);
    EXPECT_EQ(found.at_least(), 1) << "two heads may do what three kernels write with three";
    EXPECT_TRUE(found.same_function());
}

TEST(HeadsByKernel, RefusesOtherFeatures) {
    EXPECT_EQ(why_not_by_kernel(layer_named("decay=1,1/2")), "");
    EXPECT_EQ(why_not_by_kernel(layer_named("gates")), "");
    EXPECT_NE(why_not_by_kernel(layer_named("affine")), "");
    EXPECT_NE(why_not_by_kernel(layer_named("mapped")), "");
    EXPECT_NE(why_not_by_kernel(layer_named("moments")), "");
    Model affine;
    affine.layer = layer_named("affine");
    EXPECT_REFUSED("affine", reduced(affine));
}

TEST(HeadsByKernel, AreNotSoughtForZeroNorForManyFeaturesNorForOtherLayers) {
    Model model;
    model.layer = layer_named("linear");
    EXPECT_EQ(why_not_sought(model, Matrix::Ones(1000, 2)), "");
    EXPECT_EQ(why_not_sought(model, Matrix::Zero(18, 2)), "the layer is zero");
    EXPECT_SAYS(why_not_sought(model, Matrix::Ones(1001, 1)), "1001 features, sought up to 1000");
    model.layer = layer_named("decay=1,1/2");
    EXPECT_EQ(why_not_sought(model, Matrix::Ones(2000, 1)), "") << "of two kernels";
    EXPECT_SAYS(why_not_sought(model, Matrix::Ones(2002, 1)), "1001 features of each kernel");
    model.layer = layer_named("affine");
    EXPECT_SAYS(why_not_sought(model, Matrix::Ones(18, 2)), "the layer affine: it is affine");
}

}  // namespace
}  // namespace attest::test

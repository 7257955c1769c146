// Every model of core/train against automatic differentiation by libtorch, in double.
#include "core/train/heads_model.hpp"
#include "core/train/linear_layers.hpp"
#include "core/train/transformer.hpp"
#include "tests/core/train/problem.hpp"
#include "tests/torch/torch_models.hpp"

#include <gtest/gtest.h>

namespace attest {
namespace {

using test::LossAndGradient;
using test::prefix_dataset;

/// Both sides sum fewer than 2¹⁴ products of at most a few factors each; the bound is relative to
/// the whole, so an entry may cancel.
constexpr double kRounding = 0x1p14 * 0x1p-53;

void expect_same(const TrainedModel<double>& model,
                 const PrefixData<double>& data,
                 const Vector& theta,
                 const LossAndGradient& expected) {
    EXPECT_LT(std::abs(model.loss(theta, data) - expected.loss), kRounding * expected.loss);
    const Vector gradient = model.gradient(theta, test::all_sequences(data.num_sequences));
    EXPECT_LT((gradient - expected.gradient).norm(), kRounding * expected.gradient.norm());
}

TEST(TorchOracle, HeadsAgree) {
    for (const LabelKind labels : {LabelKind::per_prefix, LabelKind::per_sequence}) {
        for (const Index heads : {1, 5, 16}) {
            const PrefixData<double> data =
                prefix_data<double>(prefix_dataset(4, 2, 30, 6, 0, labels));
            const HeadsResidual<double> residual(data, heads);
            const HeadsMoments<double> moments(data, heads);
            const Vector theta = residual.start(Stream(1));
            const LossAndGradient expected = test::torch_heads(data, theta, heads);
            expect_same(residual, data, theta, expected);
            expect_same(moments, data, theta, expected);
        }
    }
}

TEST(TorchOracle, LayersAgree) {
    for (const Index layers : {1, 2, 4}) {
        const PrefixData<double> data = prefix_data<double>(prefix_dataset(4, 2, 30, 6));
        const LinearLayers<double> model(data, layers);
        const Vector theta = model.start(Stream(2));
        expect_same(model, data, theta, test::torch_layers(data, theta, layers));
    }
}

TEST(TorchOracle, TransformersAgree) {
    const PrefixData<double> data = prefix_data<double>(prefix_dataset(4, 2, 30, 6));
    const TransformerShape shape{4, 2, 30, 2, 16, 4, 32};
    const Transformer<double> model(data, shape);
    // Off the start, whose last matrix is zero.
    const Vector theta = model.start(Stream(3)) + 0.3 * model.start(Stream(4)).cwiseAbs() +
                         Vector::Constant(model.num_parameters(), 0.05);
    expect_same(model, data, theta, test::torch_transformer(data, theta, shape));
}

}  // namespace
}  // namespace attest

#include "core/distil/contenders.hpp"

#include "core/base/error.hpp"
#include "core/features/predict.hpp"
#include "core/rng/sample.hpp"
#include "core/solve/solvers.hpp"
#include "tests/support/layer_examples.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace attest {
namespace {

using test::layer_data;

TEST(CoefficientModel, GradientIsThatOfTheLossInEveryLayer) {
    for (const char* text :
         {"linear", "affine", "degree=0..2", "decay=1,1/2", "cross", "moments"}) {
        const Dataset data = layer_data({.layer = text, .count = 8});
        const PrefixData<double> moments = moment_data(DatasetSource(data));
        const CoefficientModel model(moments, data.layout());
        std::vector<Index> all(static_cast<std::size_t>(data.num_examples()));
        std::iota(all.begin(), all.end(), 0);
        const Vector theta = model.start(Stream(1));
        const Vector direction = model.start(Stream(2));

        const double slope = model.gradient(theta, all).dot(direction);

        // The loss is quadratic: central differences are exact but for rounding, at any step.
        const double up = model.loss(theta + direction, moments);
        const double down = model.loss(theta - direction, moments);
        const double size = (up + down) * static_cast<double>(theta.size());
        EXPECT_NEAR(slope, (up - down) / 2.0, 30.0 * size * 0x1p-53) << text;
    }
}

TEST(CoefficientModel, LossOfScaledCoefficientsIsTheRelativeRisk) {
    const Dataset data = layer_data({.layer = "affine", .count = 12});
    const DatasetSource source(data);
    const PrefixData<double> moments = moment_data(source);
    const CoefficientModel model(moments, data.layout());
    EXPECT_NEAR(model.loss(Vector::Zero(model.num_parameters()), moments), 1.0, 30.0 * 0x1p-53);
    EXPECT_GT(model.feature_power(), 0.0);
}

TEST(CoefficientModel, RefusesDataOfAnotherLayer) {
    const Dataset data = layer_data({.layer = "affine"});
    const PrefixData<double> moments = moment_data(DatasetSource(data));
    EXPECT_THROW(CoefficientModel(moments, FeatureLayout(2)), InvalidInput);
}

}  // namespace
}  // namespace attest

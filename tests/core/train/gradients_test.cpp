#include "core/train/heads_model.hpp"
#include "core/train/linear_layers.hpp"
#include "core/train/transformer.hpp"
#include "tests/core/train/problem.hpp"
#include "tests/support/problems.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace attest::test {
namespace {

/// A derivative from values alone: Richardson's extrapolation of central differences, and how far
/// off it may be.
struct Difference {
    double slope;
    double error;
};

/// With D(h) the central difference, R(h) = (4D(h) − D(2h))/3 is off by O(h⁴); the distance of
/// R(h) and R(2h) is about 15 times that of R(h) from the derivative. Rounding: the loss is a sum
/// of squares, each of a residual that ends a chain of fewer than 2¹⁰ operations, so that a value
/// is off by 2¹¹ u times itself, and R(h) by 2¹¹ u f · (4 + 1/2)/(3h) ≤ 2¹² u f/h.
Difference difference(const TrainedModel<double>& model,
                      const PrefixData<double>& data,
                      Vector theta,
                      Index k) {
    const double h = 0x1p-9;
    const double at = theta(k);
    double largest = 0.0;
    const auto central = [&](double step) {
        theta(k) = at + step;
        const double above = model.loss(theta, data);
        theta(k) = at - step;
        const double below = model.loss(theta, data);
        largest = std::max({largest, above, below});
        return (above - below) / (2.0 * step);
    };
    const double one = central(h);
    const double two = central(2.0 * h);
    const double four = central(4.0 * h);
    const double fine = (4.0 * one - two) / 3.0;
    const double coarse = (4.0 * two - four) / 3.0;
    return {fine, std::abs(fine - coarse) + 0x1p12 * 0x1p-53 * largest / h};
}

/// The largest |gradient − difference| in units of its bound, over every parameter. The bound must
/// be sharp: below 10⁻⁴ of the gradient's norm.
double worst_ratio(const TrainedModel<double>& model,
                   const PrefixData<double>& data,
                   const Vector& theta,
                   const Vector& gradient) {
    double worst = 0.0;
    for (Index k = 0; k < theta.size(); ++k) {
        const Difference expected = difference(model, data, theta, k);
        EXPECT_LT(expected.error, 1e-4 * gradient.norm()) << k;
        worst = std::max(worst, std::abs(gradient(k) - expected.slope) / expected.error);
    }
    return worst;
}

void expect_gradient(const TrainedModel<double>& model,
                     const PrefixData<double>& data,
                     const Vector& theta) {
    const std::vector<Index> all = all_sequences(data.num_sequences);
    const Vector gradient = model.gradient(theta, all);

    EXPECT_EQ(gradient.size(), model.num_parameters());
    EXPECT_LT(worst_ratio(model, data, theta, gradient), 1.0);
}

TEST(Gradients, OfHeadsThroughResidualsAreTheDerivativeInEveryParameter) {
    for (const Index d : {1, 2, 3, 5}) {
        for (const Index o : {1, 2}) {
            for (const Index heads : {1, 3}) {
                const PrefixData<double> data = prefix_data<double>(prefix_dataset(d, o, 7, 3));
                const HeadsResidual<double> model(data, heads);
                expect_gradient(model, data, model.start(Stream(3)));
            }
        }
    }
}

TEST(Gradients, OfHeadsThroughMomentsAreTheDerivativeInEveryParameter) {
    for (const Index d : {1, 2, 4}) {
        for (const Index o : {1, 2}) {
            const PrefixData<double> data = prefix_data<double>(prefix_dataset(d, o, 9, 3));
            const HeadsMoments<double> model(data, 3);
            expect_gradient(model, data, model.start(Stream(4)));
        }
    }
}

TEST(Gradients, OfHeadsWithOneLabelASequenceAreTheDerivativeInEveryParameter) {
    const PrefixData<double> data =
        prefix_data<double>(prefix_dataset(3, 2, 5, 8, 0, LabelKind::per_sequence));
    const HeadsResidual<double> residual(data, 3);
    const HeadsMoments<double> moments(data, 3);
    expect_gradient(residual, data, residual.start(Stream(3)));
    expect_gradient(moments, data, moments.start(Stream(3)));
}

TEST(Gradients, OfLayersAreTheDerivativeInEveryParameter) {
    for (const Index d : {1, 2, 3, 4, 8}) {
        for (const Index layers : {1, 2, 4}) {
            const PrefixData<double> data = prefix_data<double>(prefix_dataset(d, 2, 6, 2));
            const LinearLayers<double> model(data, layers);
            expect_gradient(model, data, 0.5 * model.start(Stream(5)));
        }
    }
}

TEST(Gradients, OfATransformerAreTheDerivativeInEveryParameter) {
    const PrefixData<double> data = prefix_data<double>(prefix_dataset(3, 2, 5, 2));
    TransformerShape shape;
    shape.width = 8;
    shape.heads = 2;
    shape.hidden = 12;
    const Transformer<double> model(data, shape);
    // The start has exact zeros and ones: a point without them tells every parameter apart.
    const Vector theta =
        model.start(Stream(6)) + 0.3 * normal_matrix(model.num_parameters(), 1, Stream(7)).col(0);
    expect_gradient(model, data, theta);
}

TEST(Gradients, AreOfTheSequencesNamedOnly) {
    const PrefixData<double> data = prefix_data<double>(prefix_dataset(2, 1, 6, 4));
    const LinearLayers<double> model(data, 2);
    const Vector theta = model.start(Stream(8));
    const std::vector<Index> first{0, 2};
    const std::vector<Index> second{1, 3};

    const Vector both = model.gradient(theta, all_sequences(4));
    const Vector halves = 0.5 * (model.gradient(theta, first) + model.gradient(theta, second));

    // Sums of the same 24 terms in another order.
    EXPECT_LT((both - halves).norm(), 48 * 0x1p-53 * 2.0 * both.norm() * 24);
    EXPECT_GT((both - model.gradient(theta, first)).norm(), 1e-3 * both.norm());
}

TEST(Gradients, AFaultInOneParameterIsNoticed) {
    const PrefixData<double> data = prefix_data<double>(prefix_dataset(2, 1, 6, 3));
    const HeadsResidual<double> model(data, 2);
    const Vector theta = model.start(Stream(3));
    const Vector gradient = model.gradient(theta, all_sequences(3));
    for (Index k = 0; k < gradient.size(); ++k) {
        Vector faulty = gradient;
        faulty(k) += 1e-5 * gradient.norm();
        EXPECT_GT(worst_ratio(model, data, theta, faulty), 1.0) << k;
    }
}

TEST(Gradients, InSinglePrecisionAreThoseOfDoubleUpToItsRounding) {
    const Dataset sequences = prefix_dataset(3, 1, 8, 3);
    const PrefixData<double> data = prefix_data<double>(sequences);
    const PrefixData<float> rounded = prefix_data<float>(sequences);
    TransformerShape shape;
    shape.width = 8;
    shape.heads = 2;
    shape.hidden = 12;
    const auto expect_close = [&](const TrainedModel<double>& wide,
                                  const TrainedModel<float>& narrow) {
        const VectorOf<float> theta = narrow.start(Stream(9));
        const Vector expected = wide.gradient(theta.cast<double>(), all_sequences(3));
        const Vector found = narrow.gradient(theta, all_sequences(3)).cast<double>();
        // A chain of fewer than 2¹⁰ operations, each within 2⁻²⁴; inputs and labels as well.
        EXPECT_LT((found - expected).norm(), 0x1p10 * 0x1p-24 * expected.norm());
    };

    expect_close(HeadsResidual<double>(data, 2), HeadsResidual<float>(rounded, 2));
    expect_close(HeadsMoments<double>(data, 2), HeadsMoments<float>(rounded, 2));
    expect_close(LinearLayers<double>(data, 2), LinearLayers<float>(rounded, 2));
    expect_close(Transformer<double>(data, shape), Transformer<float>(rounded, shape));
}

}  // namespace
}  // namespace attest::test

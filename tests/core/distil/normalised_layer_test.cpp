#include "core/distil/normalised_layer.hpp"

#include "core/base/error.hpp"
#include "core/distil/floor.hpp"
#include "tests/core/distil/softmax_problems.hpp"

#include <gtest/gtest.h>

namespace attest::test {
namespace {

/// The head with weights k_t = 1 + τ z_tᵀ A z, which has the first two terms of the series.
NormalisedLayer first_order_head(const SoftmaxLayer& layer) {
    const Index D = layer.d + 1;
    NormalisedLayer head{true, Matrix::Zero(layer.o, D), Matrix::Zero(D, D)};
    head.V.rightCols(layer.d) = layer.heads[0].V;
    head.Q(0, 0) = 1.0;
    head.Q.bottomRightCorner(layer.d, layer.d) = layer.tau * layer.heads[0].Q;
    return head;
}

TEST(NormalisedLayer, RiskOfTwoTokensIsDoneByHand) {
    Dataset data;
    data.tokens = Matrix{{3.0, 1.0}};
    data.offsets = {0, 2};
    data.labels = LabelKind::per_sequence;
    data.y = Matrix::Constant(1, 1, 2.0);
    const NormalisedLayer head{false, Matrix::Ones(1, 1), Matrix::Ones(1, 1)};
    // Weights 3·1 and 1·1: (9 + 1)/(3 + 1) = 5/2, off by 1/2.
    EXPECT_EQ(normalised_risk(head, normalised_examples(data)), 0.25);
}

TEST(NormalisedLayer, FindsAPlantedHead) {
    const SoftmaxLayer softmax = random_softmax(3, 2, 1, 0);
    Dataset data = softmax_data(softmax, "affine", 6, 150, 0);
    NormalisedLayer planted = first_order_head(softmax);
    planted.Q.bottomRightCorner(3, 3) *= 0.05;  // keeps every denominator away from 0
    NormalisedExamples examples = normalised_examples(data);
    examples.y.setZero();
    for (Index i = 0; i < 150; ++i) {
        const Vector asked = planted.Q * examples.z.col(i);
        examples.y.col(i) = planted.V * (examples.S[static_cast<std::size_t>(i)] * asked) /
                            examples.w.col(i).dot(asked);
    }

    const NormalisedFit fit = fit_normalised_layer(examples, true);

    const double power = examples.y.squaredNorm() / 150.0;
    // Risks are squares of errors of about κ roundings; κ is below 2¹² here.
    EXPECT_LT(fit.risk, power * 0x1p-80);
    EXPECT_LE(fit.floor, power * 0x1p-80);
}

TEST(NormalisedLayer, FloorIsBelowEveryHeadAndNotZero) {
    for (Index seed = 0; seed < 4; ++seed) {
        SoftmaxLayer softmax = random_softmax(2, 2, 1, seed);
        for (const double tau : {1.0, 0.25, 0.0625}) {
            softmax.tau = tau;
            const NormalisedExamples data =
                normalised_examples(softmax_data(softmax, "affine", 5, 120, seed));
            const NormalisedFit fit = fit_normalised_layer(data, true);
            EXPECT_LE(fit.floor, fit.risk);
            EXPECT_GT(fit.floor, 0.0);
            EXPECT_LE(fit.risk, normalised_risk(first_order_head(softmax), data));
            for (Index k = 0; k < 20; ++k) {
                const Stream stream = Stream(3).child(seed).child(k);
                NormalisedLayer other = first_order_head(softmax);
                other.Q += 0.01 * grid_matrix(grid_normal(), 3, 3, stream.child("Q"));
                other.V += 0.01 * grid_matrix(grid_normal(), 2, 3, stream.child("V"));
                EXPECT_LE(fit.floor, normalised_risk(other, data));
            }
        }
    }
}

TEST(NormalisedLayer, RiskFallsAsTheFourthPowerOfTheScores) {
    SoftmaxLayer softmax = random_softmax(2, 2, 1, 5);
    const Dataset data = softmax_data(softmax, "affine", 6, 200, 5);
    const LeadingRisk leading = normalised_leading_risk(softmax, data);
    ASSERT_EQ(leading.power, 4);
    double before = 0.0;
    for (const double tau : {0.125, 0.0625, 0.03125, 0.015625}) {
        softmax.tau = tau;
        Dataset scaled = labelled_by(softmax, data);
        const NormalisedFit fit = fit_normalised_layer(normalised_examples(scaled), true);
        const double off = std::abs(fit.risk / (leading.constant * tau * tau * tau * tau) - 1.0);
        // The next term is relatively of order τ: the deviation at least halves in the end; three
        // quarters leave room for the terms behind.
        if (before > 0.0) {
            EXPECT_LT(off, 0.75 * before) << tau;
        }
        before = off;
    }
    EXPECT_LT(before, 0.125);
}

TEST(NormalisedLayer, RefusesOtherLayersAndLabels) {
    Dataset data = softmax_data(random_softmax(2, 2, 1, 0), "degree=0..1", 3, 10, 0);
    EXPECT_THROW((void)normalised_examples(data), InvalidInput);
    data = softmax_data(random_softmax(2, 2, 1, 0), "affine", 3, 10, 0);
    data.labels = LabelKind::none;
    EXPECT_THROW((void)normalised_examples(data), InvalidInput);
}

TEST(NormalisedSeconds, AreOfTheNormalEquationsOfEverySequence) {
    const auto seconds_of = [](Index d, Index count) {
        return normalised_seconds(softmax_data(random_softmax(d, 2, 1, 0), "linear", 4, count, 0));
    };
    EXPECT_DOUBLE_EQ(seconds_of(3, 80), 2.0 * seconds_of(3, 40));
    // Parameters d² + o d, of which the matrix is the square.
    EXPECT_DOUBLE_EQ(seconds_of(6, 40) / seconds_of(3, 40), (48.0 * 48.0) / (15.0 * 15.0));
}

}  // namespace
}  // namespace attest::test

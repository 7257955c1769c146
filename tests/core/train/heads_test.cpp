#include "core/algebra/residual_ratio.hpp"
#include "core/algebra/symmetric_pack.hpp"
#include "core/base/error.hpp"
#include "core/features/coefficients.hpp"
#include "core/model/forward.hpp"
#include "core/train/heads_model.hpp"
#include "core/train/linear_layers.hpp"
#include "core/train/prefix_data.hpp"
#include "core/train/residuals.hpp"
#include "tests/core/train/problem.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/problems.hpp"

#include <gtest/gtest.h>

namespace attest::test {

namespace {

TEST(HeadMap, GivesTheCoefficientsOfItsHeads) {
    for (const Index d : {1, 2, 5}) {
        for (const Index o : {1, 3}) {
            const HeadMap<double> map(d, o, 4);
            const Vector theta = map.start(Stream(1));

            const Matrix P = map.coefficients(theta);

            EXPECT_LT(difference_ratio(coefficients(map.heads(theta)), P), 30.0);
        }
    }
}

TEST(HeadMap, PullsBackTheTransposedDerivative) {
    // ⟨Ḡ, DP[δ]⟩ = ⟨pull_back(Ḡ), δ⟩, and P is bilinear in V and Q: DP[δ] is exact from two values.
    const HeadMap<double> map(3, 2, 2);
    const Vector theta = map.start(Stream(1).child("theta"));
    const Vector delta = map.start(Stream(1).child("delta"));
    const Matrix G = normal_matrix(feature_dim(3), 2, Stream(2));
    const Matrix slope = (map.coefficients(theta + delta) - map.coefficients(theta - delta)) / 2.0;

    const double forward = G.cwiseProduct(slope).sum();
    const double backward = map.pull_back(theta, G).dot(delta);

    // Sums of fewer than 200 products, each of fewer than 10 operations.
    const double scale =
        G.cwiseAbs().sum() * (theta.norm() + delta.norm()) * (theta.norm() + delta.norm());
    EXPECT_LT(std::abs(forward - backward), gamma_bound(210) * scale);
    EXPECT_GT(std::abs(forward), gamma_bound(210) * scale);
}

TEST(HeadMap, RefusesNoHeads) {
    EXPECT_REFUSED("head_map: got d = 2, o = 1, heads = 0", HeadMap<double>(2, 1, 0));
}

/// The loss straight from Definition 2.1, prefix by prefix.
double literal_loss(const Parameters& heads, const Dataset& data) {
    double error = 0.0;
    double power = 0.0;
    for (Index i = 0; i < data.num_sequences(); ++i) {
        for (Index t = 0; t < data.length(i); ++t) {
            const Matrix Z = data.sequence(i).leftCols(t + 1);
            const Vector y = data.y.col(data.first_token(i) + t);
            error += (attend<double>(heads, Z, Z.col(t)) - y).squaredNorm();
            power += y.squaredNorm();
        }
    }
    return error / power;
}

TEST(Heads, LossIsThatOfTheDefinition) {
    const Dataset sequences = prefix_dataset(3, 2, 12, 4);
    const PrefixData<double> data = prefix_data<double>(sequences);
    const HeadsResidual<double> model(data, 2);
    const Vector theta = model.start(Stream(2));
    const double expected = literal_loss(HeadMap<double>(3, 2, 2).heads(theta), sequences);

    EXPECT_LT(std::abs(model.loss(theta, data) - expected), gamma_bound(1000) * expected);
    EXPECT_LT(std::abs(HeadsMoments<double>(data, 2).loss(theta, data) - expected),
              gamma_bound(1000) * expected);
}

TEST(Heads, OneLabelASequenceIsThatOfItsLongestPrefix) {
    const Dataset everywhere = prefix_dataset(3, 2, 12, 4);
    const Dataset at_the_end = prefix_dataset(3, 2, 12, 4, 0, LabelKind::per_sequence);
    const PrefixData<double> data = prefix_data<double>(at_the_end);
    const HeadsResidual<double> model(data, 2);
    const Vector theta = model.start(Stream(2));
    const Parameters heads = HeadMap<double>(3, 2, 2).heads(theta);
    double error = 0.0;
    for (Index i = 0; i < 4; ++i) {
        const Matrix Z = everywhere.sequence(i);
        const Vector y = everywhere.y.col(everywhere.first_token(i) + 11);
        error += (attend<double>(heads, Z, Z.col(11)) - y).squaredNorm();
    }
    const double expected = error / at_the_end.y.squaredNorm();

    EXPECT_LT(std::abs(model.loss(theta, data) - expected), gamma_bound(1000) * expected);
}

TEST(LinearLayers, NeedALabelAfterEveryToken) {
    const PrefixData<double> data =
        prefix_data<double>(prefix_dataset(2, 1, 6, 3, 0, LabelKind::per_sequence));
    EXPECT_REFUSED("linear_layers: got one label a sequence", LinearLayers<double>(data, 2));
}

TEST(Heads, BothFormsHaveTheSameGradient) {
    for (const Index d : {1, 2, 4}) {
        for (const Index heads : {1, 5, 16}) {
            const PrefixData<double> data = prefix_data<double>(prefix_dataset(d, 2, 20, 6));
            const HeadsResidual<double> residual(data, heads);
            const HeadsMoments<double> moments(data, heads);
            const Vector theta = residual.start(Stream(2).child(d));
            const std::vector<Index> batch{1, 2, 5};

            const Vector expected = residual.gradient(theta, batch);

            // Both sum the same 3·20 products of at most 2ψ + 20 operations, with P's own size.
            EXPECT_LT((moments.gradient(theta, batch) - expected).norm(),
                      gamma_bound(60 * (2 * feature_dim(d) + 20)) * expected.norm());
            EXPECT_EQ(moments.start(Stream(3)), residual.start(Stream(3)));
        }
    }
}

TEST(LinearLayers, OneLayerIsOneHead) {
    const PrefixData<double> data = prefix_data<double>(prefix_dataset(4, 1, 20, 5));
    const LinearLayers<double> layers(data, 1);
    const HeadsResidual<double> heads(data, 1);
    // V (1×4) stands first in both; Q column-major here, row-major there.
    const Vector theta = layers.start(Stream(2));
    Vector as_head = theta;
    as_head.tail(16) = theta.tail(16).reshaped(4, 4).transpose().reshaped();
    const double expected = heads.loss(as_head, data);

    EXPECT_LT(std::abs(layers.loss(theta, data) - expected), gamma_bound(1000) * expected);
}

/// Outputs of stacked layers on one prefix, by Definition 2.1 literally: every token of every layer
/// attends to the tokens before it and to itself.
Vector literal_layers(const std::vector<Head>& layers, Matrix X) {
    Matrix next = X;
    for (std::size_t l = 0; l < layers.size(); ++l) {
        const bool last = l + 1 == layers.size();
        const Parameters head{X.rows(), layers[l].V.rows(), {layers[l]}};
        if (last) {
            return attend<double>(head, X, X.col(X.cols() - 1));
        }
        for (Index t = 0; t < X.cols(); ++t) {
            const Matrix seen = X.leftCols(t + 1);
            next.col(t) = X.col(t) + attend<double>(head, seen, X.col(t));
        }
        X = next;
    }
    return {};
}

TEST(LinearLayers, LossIsThatOfTheDefinition) {
    const Index d = 3;
    const Dataset sequences = prefix_dataset(d, 2, 8, 3);
    const PrefixData<double> data = prefix_data<double>(sequences);
    const LinearLayers<double> model(data, 3);
    const Vector theta = model.start(Stream(4));
    std::vector<Head> layers;
    Index at = 0;
    for (const Index rows : {d, d, Index{2}}) {
        layers.push_back({theta.segment(at, rows * d).reshaped(rows, d),
                          theta.segment(at + rows * d, d * d).reshaped(d, d)});
        at += (rows + d) * d;
    }
    double error = 0.0;
    for (Index i = 0; i < 3; ++i) {
        for (Index t = 0; t < 8; ++t) {
            error += (literal_layers(layers, sequences.sequence(i).leftCols(t + 1)) -
                      data.labels(i).col(t))
                         .squaredNorm();
        }
    }
    const double expected = error / data.y.squaredNorm();

    EXPECT_EQ(at, model.num_parameters());
    EXPECT_LT(std::abs(model.loss(theta, data) - expected), gamma_bound(3000) * expected);
}

TEST(LinearLayers, RefusesNoLayer) {
    const PrefixData<double> data = prefix_data<double>(prefix_dataset(2, 1, 4, 2));
    EXPECT_REFUSED("linear_layers: got 0 layers", LinearLayers<double>(data, 0));
}

TEST(PrefixData, HoldsTheSequencesAndTheMeanSquareOfTheirLabels) {
    Dataset data;
    data.tokens = Matrix{{1, 2, 3, 4}};
    data.offsets = {0, 2, 4};
    data.labels = LabelKind::per_prefix;
    data.y = Matrix{{1, -1, 3, 1}};

    const PrefixData<float> prefixes = prefix_data<float>(data);

    EXPECT_EQ(prefixes.length, 2);
    EXPECT_EQ(prefixes.num_sequences, 2);
    EXPECT_EQ(prefixes.sequence(1), (MatrixOf<float>{{3.0F, 4.0F}}));
    EXPECT_EQ(prefixes.labels(1), (MatrixOf<float>{{3.0F, 1.0F}}));
    EXPECT_EQ(prefixes.label_power, 3.0);
}

TEST(PrefixData, PackedPrefixesAreThePackedProducts) {
    const PrefixData<double> data = prefix_data<double>(prefix_dataset(3, 1, 5, 2));
    const Matrix S = packed_prefixes(data, 1);
    for (Index t = 0; t < 5; ++t) {
        const Matrix Z = data.sequence(1).leftCols(t + 1);
        // Tokens on a grid: every order of summation gives the same double.
        EXPECT_EQ(S.col(t), pack<double>(Z * Z.transpose())) << t;
    }
}

TEST(PrefixData, OneLabelASequenceBelongsToAllItsTokens) {
    const PrefixData<double> whole =
        prefix_data<double>(prefix_dataset(3, 1, 5, 2, 0, LabelKind::per_sequence));
    const PrefixData<double> prefixes = prefix_data<double>(prefix_dataset(3, 1, 5, 2));

    EXPECT_EQ(whole.labelled, 1);
    EXPECT_EQ(whole.queries(1), prefixes.sequence(1).rightCols(1));
    EXPECT_EQ(whole.labels(1), prefixes.labels(1).rightCols(1));
    EXPECT_EQ(packed_prefixes(whole, 1), packed_prefixes(prefixes, 1).rightCols(1));
}

TEST(PrefixData, RefusesTwoLengthsAndNothingToLearn) {
    Dataset data = prefix_dataset(2, 1, 4, 2);
    data.offsets = {0, 3, 8};
    EXPECT_REFUSED("prefix_data: sequence 1 has 5 tokens", prefix_data<double>(data));
    data = prefix_dataset(2, 1, 4, 2);
    data.labels = LabelKind::none;
    data.y.resize(0, 0);
    EXPECT_REFUSED("prefix_data: got no labels", prefix_data<double>(data));
    data = prefix_dataset(2, 1, 4, 2);
    data.y.setZero();
    EXPECT_REFUSED("prefix_data: every label is zero, nothing can be learned",
                   prefix_data<double>(data));
}

}  // namespace

}  // namespace attest::test

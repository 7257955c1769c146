#include "bench/experiments/text/softmax_heads.hpp"

#include "core/data/sources/moments.hpp"
#include "core/moments/moment_sums.hpp"
#include "core/rng/sample.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace attest {
namespace {

/// Windows of three normal tokens, the first coordinate `factor` times as large as the others.
Dataset windows(Index d, Index count, double factor) {
    Dataset data;
    data.tokens = grid_matrix(grid_normal(), d, 3 * count, Stream(5));
    data.tokens.own().row(0) *= factor;
    for (Index i = 0; i <= count; ++i) {
        data.offsets.push_back(3 * i);
    }
    return data;
}

TEST(FeatureSpectrum, OfOneScalarIsItsMeanSquare) {
    // Features 1·1 and 4·2: squares 1 and 64.
    Dataset data;
    data.tokens = Matrix{{1.0, 2.0}};
    data.offsets = {0, 1, 2};
    for (const auto& spectrum : {spectrum_by_eigenvalues, spectrum_by_factor}) {
        const FeatureSpectrum found = spectrum(data);
        EXPECT_NEAR(found.lambda_min, 32.5, 30.0 * 0x1p-52 * 32.5);
        EXPECT_NEAR(found.lambda_max, 32.5, 30.0 * 0x1p-52 * 32.5);
    }
}

TEST(FeatureSpectrum, IsTheSameByBothRoutes) {
    for (const Index d : {2, 4, 6}) {
        const Dataset data = windows(d, 4 * feature_dim(d), 1.0);
        const FeatureSpectrum a = spectrum_by_eigenvalues(data);
        const FeatureSpectrum b = spectrum_by_factor(data);
        // Both roundings, and where the iteration stops: at a relative change of 1e-10, with
        // convergence by a factor of a half or better in every step.
        EXPECT_NEAR(a.lambda_min, b.lambda_min, a.error + b.error + 4e-10 * a.lambda_min);
        EXPECT_NEAR(a.lambda_max, b.lambda_max, 30.0 * a.error + 4e-10 * a.lambda_max);
    }
}

TEST(FeatureSpectrum, OfTheFactorSeesWhatTheEigenvaluesDoNot) {
    // Scaling a coordinate by c scales features by c³ to 1: at c = 2¹⁰ λ_min is about 2⁻⁶⁰ of
    // λ_max, below the rounding of Λ but not of R.
    const Dataset data = windows(3, 100, 0x1p10);
    const FeatureSpectrum seen = spectrum_by_factor(data);
    EXPECT_LT(seen.lambda_min, spectrum_by_eigenvalues(data).error);
    EXPECT_GT(seen.lambda_min, seen.error);
    const double least_feature =
        structured_moments(DatasetSource(data), {}).Lambda.diagonal().minCoeff();
    EXPECT_LE(seen.lambda_min, least_feature);
    EXPECT_GT(seen.lambda_min, 1e-3 * least_feature);
}

Dataset small_data() {
    Dataset data;
    data.tokens = grid_matrix(grid_normal(), 3, 20, Stream(1).child("tokens"));
    data.y = grid_matrix(grid_normal(), 2, 5, Stream(1).child("y"));
    data.labels = LabelKind::per_sequence;
    data.offsets = {0, 4, 8, 12, 16, 20};
    return data;
}

TEST(SoftmaxHeads, AttendToEveryTokenAlikeWhenQIsZero) {
    const Dataset dataset = small_data();
    const PrefixData<double> data = prefix_data<double>(dataset);
    const SoftmaxHeads model(data, 1);
    Vector theta = Vector::Zero(model.num_parameters());
    const Matrix V{{1, 0, 0}, {0, 2, 0}};
    theta.head(6) = Eigen::Map<const Vector>(V.data(), 6);
    const Vector mean = data.sequence(2).rowwise().mean();
    EXPECT_LT((model.outputs(theta, data).col(2) - V * mean).norm(), 8.0 * 0x1p-52 * mean.norm());
}

TEST(SoftmaxHeads, GradientIsTheDifferenceQuotientOfTheLoss) {
    const Dataset dataset = small_data();
    const PrefixData<double> data = prefix_data<double>(dataset);
    const SoftmaxHeads model(data, 2);
    const Vector theta = model.start(Stream(3));
    std::vector<Index> all(5);
    std::iota(all.begin(), all.end(), Index{0});
    const Vector gradient = model.gradient(theta, all);
    // Central differences: truncation h²·f'''/6 and rounding ε/h meet at h = 2⁻¹⁷; what is left is
    // of size 2⁻³⁴ times derivatives of size 1 to 10.
    const double h = 0x1p-17;
    for (Index k = 0; k < theta.size(); ++k) {
        Vector up = theta;
        Vector down = theta;
        up(k) += h;
        down(k) -= h;
        const double slope = (model.loss(up, data) - model.loss(down, data)) / (2.0 * h);
        EXPECT_NEAR(gradient(k), slope, 0x1p-28) << k;
    }
}

TEST(SoftmaxHeads, RefuseLabelsAtEveryPrefix) {
    Dataset dataset = small_data();
    dataset.labels = LabelKind::per_prefix;
    dataset.y = Matrix::Ones(2, 20);
    const PrefixData<double> data = prefix_data<double>(dataset);
    EXPECT_REFUSED("SoftmaxHeads: got 1 heads and 4 labels a sequence", SoftmaxHeads(data, 1));
}

}  // namespace

}  // namespace attest

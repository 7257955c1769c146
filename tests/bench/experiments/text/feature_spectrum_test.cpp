#include "bench/experiments/text/feature_spectrum.hpp"

#include "core/data/moment_source.hpp"
#include "core/moments/moment_sums.hpp"
#include "core/rng/sample.hpp"

#include <gtest/gtest.h>

#include <cmath>

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

}  // namespace
}  // namespace attest

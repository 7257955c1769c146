#include "core/certify/noise_excess.hpp"

#include "core/algebra/residual_ratio.hpp"
#include "core/base/error.hpp"
#include "core/certify/leverage.hpp"
#include "core/certify/minimum_eigenvalue.hpp"
#include "core/moments/second_moment.hpp"
#include "core/rng/sample.hpp"
#include "core/solve/orthogonal.hpp"
#include "tests/support/problems.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace attest {
namespace {

Dataset planted_inputs(Index d, Index N, Index n, std::uint64_t seed) {
    return test::planted_dataset(
        test::normal_parameters(d, 1, 1, Stream(seed)), N, n, Stream(seed + 1));
}

/// What rounding may change in tr(Λ Λ_D⁻¹), relatively.
double rounding(const TriangularFactor& factor) {
    const NumericalSpectrum spectrum = numerical_spectrum(factor);
    const double condition = spectrum.lambda_max / spectrum.lambda_min;
    return 30.0 * static_cast<double>(spectrum.psi) * gamma_bound(factor.num_examples) * condition;
}

TEST(NoiseExcess, IsSigmaSquaredOverNForOneFeature) {
    // d = n = 1: H = z³, Λ_D = 1 on z = ±1, so one weight σ²Λ/N for each output.
    TriangularFactor factor;
    factor.R = Matrix::Constant(1, 1, 1.0);
    factor.num_examples = 8;

    const NoiseExcess excess = noise_excess(factor, Matrix::Constant(1, 1, 4.0), 0.5, 3);

    EXPECT_EQ(excess.mean, 0.375);
    EXPECT_EQ(excess.largest, 0.125);
    EXPECT_LT(std::abs(excess.deviation - std::sqrt(6.0) * 0.125), gamma_bound(4));
    EXPECT_EQ(excess.lower(0.0), excess.mean);
    EXPECT_EQ(excess.upper(0.0), excess.mean);
    EXPECT_LT(std::abs(excess.upper(2.0) - (excess.mean + 2.0 * excess.deviation + 0.5)),
              gamma_bound(8));
}

TEST(NoiseExcess, IsThePsiOfTheTrainingInputsWhateverTheyAre) {
    for (const Index d : {1, 2, 3}) {
        const Dataset data = planted_inputs(d, 200, 4, 7);
        const TriangularFactor factor = triangular_factor(DatasetSource(data));
        const Matrix own = factor.R.transpose() * factor.R;

        const NoiseExcess excess = noise_excess(factor, own, 2.0, d);

        const double expected = 4.0 * static_cast<double>(d * feature_dim(d)) / 200.0;
        EXPECT_LT(std::abs(excess.mean / expected - 1.0), rounding(factor));
    }
}

TEST(NoiseExcess, IsTheMeanLeverageOfOtherInputs) {
    const Dataset data = planted_inputs(3, 300, 5, 11);
    const Dataset others = planted_inputs(3, 90, 2, 13);
    const TriangularFactor factor = triangular_factor(DatasetSource(data));
    const Matrix Lambda = explicit_moments(DatasetSource(others)).Lambda;

    const double mean = noise_excess(factor, Lambda, 1.0, 1).mean;
    const double leverage = NumericalLeverage(factor).mean(DatasetSource(others));
    const double swapped =
        noise_excess(triangular_factor(DatasetSource(others)), Lambda, 1.0, 1).mean;

    EXPECT_LT(std::abs(mean * 300.0 / leverage - 1.0), rounding(factor));
    EXPECT_GT(std::abs(swapped * 300.0 / leverage - 1.0), rounding(factor));
}

TEST(NoiseExcess, BoundsTheErrorOfLeastSquaresUnderNoise) {
    // 400 labellings of one design: their total lies between the bounds but for 2·10⁻⁶.
    Dataset data = planted_inputs(2, 60, 3, 17);
    data.y = 0.7 * grid_matrix(grid_normal(), 400, 60, Stream(19));
    const TriangularFactor factor = triangular_factor(DatasetSource(data));
    const Matrix Lambda = 3.0 * Matrix::Identity(6, 6);
    const NoiseExcess law = noise_excess(factor, Lambda, 0.7, 400);
    const double t = -std::log(1e-6);

    const double error = squared_distance(fit_qr(factor, 2, {}).P, Matrix::Zero(6, 400), Lambda);

    EXPECT_GT(error, law.lower(t));
    EXPECT_LT(error, law.upper(t));
    EXPECT_GT(error, noise_excess(factor, Lambda, 0.5, 400).upper(t)) << "a smaller noise";
}

TEST(NoiseExcess, RefusesASingularDesign) {
    const Dataset data = planted_inputs(2, 50, 1, 23);  // one token: rank 4 of 6

    EXPECT_THROW(
        (void)noise_excess(triangular_factor(DatasetSource(data)), Matrix::Identity(6, 6), 1.0, 1),
        InvalidInput);
}

TEST(SquaredDistance, ByHand) {
    const Matrix P{{1.0, 2.0}, {0.0, 1.0}};
    const Matrix Lambda{{2.0, 1.0}, {1.0, 3.0}};

    // Columns (1, 0) and (2, 1): 2, and 2·4 + 2·2 + 3.
    EXPECT_EQ(squared_distance(P, Matrix::Zero(2, 2), Lambda), 17.0);
    EXPECT_EQ(squared_distance(P, P, Lambda), 0.0);
}

}  // namespace
}  // namespace attest

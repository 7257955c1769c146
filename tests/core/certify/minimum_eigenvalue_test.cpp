#include "core/certify/minimum_eigenvalue.hpp"

#include "core/algebra/lapack.hpp"
#include "core/algebra/residual_ratio.hpp"
#include "core/moments/second_moment.hpp"
#include "tests/support/problems.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace attest {
namespace {

Dataset gaussian_inputs(Index d, Index N, Index n) {
    const Stream stream = Stream(61).child(d).child(n);
    return test::planted_dataset({d, 1, {}}, N, n, stream);
}

TEST(NumericalSpectrum, SeesFullRankInGaussianDataFromTwoTokensOn) {
    for (const Index d : {1, 2, 3, 4}) {
        const Dataset data = gaussian_inputs(d, 4 * feature_dim(d), 2);

        const NumericalSpectrum spectrum =
            numerical_spectrum(triangular_factor(DatasetSource(data)));

        EXPECT_EQ(spectrum.nullity(), 0) << d;
        EXPECT_GT(spectrum.lambda_min, 0.0);
    }
}

TEST(NumericalSpectrum, SeesTheNullityOfSingleTokenData) {
    // With n = 1 the features are the monomials of degree 3: rank C(d+2,3), nullity d(d²−1)/3.
    for (const Index d : {2, 3, 4, 5}) {
        const Dataset data = gaussian_inputs(d, 2 * feature_dim(d), 1);

        const NumericalSpectrum spectrum =
            numerical_spectrum(triangular_factor(DatasetSource(data)));

        EXPECT_EQ(spectrum.nullity(), d * (d * d - 1) / 3) << d;
    }
}

TEST(NumericalSpectrum, AgreesWithTheEigenvaluesOfTheSecondMoment) {
    const Dataset data = gaussian_inputs(3, 200, 4);
    const DatasetSource source(data);
    const Vector eigenvalues = symmetric_eigenvalues(explicit_moments(source).Lambda);

    const NumericalSpectrum spectrum = numerical_spectrum(triangular_factor(source));

    // Eigenvalues of the formed matrix are accurate to psi·eps·lambda_max.
    const double allowed = 30.0 * gamma_bound(2 * 18) * spectrum.lambda_max;
    EXPECT_LT(std::abs(spectrum.lambda_min - eigenvalues(0)), allowed);
    EXPECT_LT(std::abs(spectrum.lambda_max - eigenvalues(17)), allowed);
    EXPECT_LT(std::abs(spectrum.trace - eigenvalues.sum()), 18.0 * allowed);
}

TEST(NumericalSpectrum, CountsExamplesInItsThreshold) {
    // d = 1, tokens 1: H/√N has the one singular value 1; max(N, ψ)·ε·σ_max = 64·2⁻⁵².
    Dataset data;
    data.tokens = Matrix::Ones(1, 64);
    for (Index i = 0; i <= 64; ++i) {
        data.offsets.push_back(i);
    }

    const NumericalSpectrum spectrum = numerical_spectrum(triangular_factor(DatasetSource(data)));

    EXPECT_DOUBLE_EQ(spectrum.threshold, 0x1p-46);
}

TEST(NumericalSpectrum, FewerExamplesThanFeaturesHaveLambdaMinZero) {
    const NumericalSpectrum spectrum =
        numerical_spectrum(triangular_factor(DatasetSource(gaussian_inputs(3, 5, 4))));

    EXPECT_EQ(spectrum.lambda_min, 0.0);
    EXPECT_EQ(spectrum.rank, 5);
    EXPECT_EQ(spectrum.nullity(), 13);
}

TEST(MinimumEigenvalue, IsTheSmallestOfTheWholeSpectrum) {
    for (const Index d : {1, 2, 3, 4}) {
        const Dataset data = gaussian_inputs(d, 4 * feature_dim(d), 3);
        const DatasetSource source(data);
        const NumericalSpectrum spectrum = numerical_spectrum(triangular_factor(source));

        const EigenvalueEstimate least = minimum_eigenvalue(source, 1);

        ASSERT_TRUE(least.converged) << d;
        // Forming and factoring Λ_D are backward stable: off by a multiple of ψ·u·λ_max.
        const double rounding = 30.0 * gamma_bound(feature_dim(d)) * spectrum.lambda_max;
        EXPECT_LE(std::abs(least.value - spectrum.lambda_min), least.error + rounding) << d;
        EXPECT_LT(rounding, 0.01 * spectrum.lambda_min) << "the comparison says something";
    }
}

TEST(MinimumEigenvalue, IsZeroWhereTheSecondMomentIsNumericallySingular) {
    const Dataset deficient = gaussian_inputs(3, 60, 1);
    const EigenvalueEstimate none = minimum_eigenvalue(DatasetSource(deficient), 1);
    EXPECT_FALSE(none.converged);
    EXPECT_EQ(none.value, 0.0);
}

}  // namespace
}  // namespace attest

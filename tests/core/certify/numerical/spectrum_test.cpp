#include "core/certify/numerical/spectrum.hpp"

#include "core/algebra/lapack.hpp"
#include "core/algebra/residual_ratio.hpp"
#include "core/base/error.hpp"
#include "core/features/predict.hpp"
#include "core/moments/moment_sums.hpp"
#include "core/rng/sample.hpp"
#include "core/solve/orthogonal.hpp"
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

TEST(ExtremeSingularValues, AreTheFirstAndTheLastOfTheSpectrum) {
    for (const Index d : {1, 2, 4, 6}) {
        for (const double size : {1.0, 0x1p-40}) {  // squares of the features would underflow
            TriangularFactor factor =
                triangular_factor(DatasetSource(gaussian_inputs(d, feature_dim(d) + 5, 3)));
            factor.R *= std::pow(size, 15);
            const NumericalSpectrum spectrum = numerical_spectrum(factor);

            const std::optional<ExtremeSingularValues> found = extreme_singular_values(factor);

            ASSERT_TRUE(found) << d << ", " << size;
            // Triangular solves and singular values are backward stable: psi·ε·σ_1 each.
            const double allowed = 30.0 * gamma_bound(feature_dim(d)) * spectrum.sigma(0);
            EXPECT_LE(std::abs(found->largest - spectrum.sigma(0)), allowed);
            EXPECT_LE(std::abs(found->smallest - spectrum.sigma(spectrum.psi - 1)), allowed);
        }
    }
}

TEST(ExtremeSingularValues, SayNothingWhereDataOfLowerRankAreNear) {
    const Dataset single = gaussian_inputs(3, 40, 1);
    const Dataset few = gaussian_inputs(3, 17, 3);
    TriangularFactor near = triangular_factor(DatasetSource(gaussian_inputs(3, 40, 3)));
    near.R.rightCols(1) = near.R.leftCols(1);
    near.R(17, 17) = 0x1p-52 * near.R(0, 0);

    EXPECT_FALSE(extreme_singular_values(triangular_factor(DatasetSource(single))));
    EXPECT_FALSE(extreme_singular_values(triangular_factor(DatasetSource(few))));
    EXPECT_FALSE(extreme_singular_values(near));
    EXPECT_LT(numerical_spectrum(near).rank, 18);
}

TEST(NumericalSpectrum, AgreesWithTheEigenvaluesOfTheSecondMoment) {
    const Dataset data = gaussian_inputs(3, 200, 4);
    const DatasetSource source(data);
    const Vector eigenvalues = symmetric_eigenvalues(explicit_moments(source).Lambda);

    const NumericalSpectrum spectrum = numerical_spectrum(triangular_factor(source));

    // Eigenvalues of the formed matrix are accurate to psi·eps·lambda_max.
    const double allowed = 30.0 * gamma_bound(36) * spectrum.lambda_max;
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

Dataset inputs(Index d, Index N, Index n, std::uint64_t seed = 81) {
    return test::planted_dataset(
        test::normal_parameters(d, 1, 1, Stream(seed)), N, n, Stream(seed + 1));
}

TEST(Leverage, AveragesToTheRankOverTheTrainingExamples) {
    for (const Index n : {1, 3}) {
        const Dataset data = inputs(3, 80, n);
        const DatasetSource source(data);
        const TriangularFactor factor = triangular_factor(source);
        const NumericalSpectrum spectrum = numerical_spectrum(factor);
        const double condition = spectrum.sigma(0) / spectrum.sigma(spectrum.rank - 1);

        const double mean = NumericalLeverage(factor).mean(source);

        EXPECT_LT(std::abs(mean - static_cast<double>(spectrum.rank)),
                  30.0 * gamma_bound(18) * condition * condition * 18.0);
    }
}

TEST(Leverage, IsInfiniteOutsideTheRowSpace) {
    const Dataset data = inputs(3, 80, 1);
    const Dataset queries = inputs(3, 5, 3, 91);

    const Vector leverages =
        NumericalLeverage(triangular_factor(DatasetSource(data))).of(DatasetSource(queries));

    for (Index k = 0; k < leverages.size(); ++k) {
        EXPECT_TRUE(std::isinf(leverages(k)));
    }
}

TEST(Leverage, IsInfiniteFromAShareOutsideTheRowSpaceOfTenToTheMinusEight) {
    // Single tokens satisfy S_12 z_1 = S_11 z_2 and S_22 z_1 = S_12 z_2. Of the query (0, δ), (1,
    // 0) the second fails by δ², which is δ²/√2 of the normal (S_12 z_2, S_22 z_1) = (1, −1)/√2,
    // and of the features' length √(1 + δ⁴) to first order: 4·10⁻⁸ and 2.6·10⁻⁹.
    const NumericalLeverage leverage(triangular_factor(DatasetSource(inputs(2, 80, 1))));
    ASSERT_EQ(leverage.rank(), 4);
    const auto of_query = [&](double delta) {
        Dataset query;
        query.tokens = Matrix{{0.0, 1.0}, {delta, 0.0}};
        query.offsets = {0, 2};
        return leverage.of(DatasetSource(query))(0);
    };

    EXPECT_TRUE(std::isinf(of_query(0x1p-12)));
    EXPECT_TRUE(std::isfinite(of_query(0x1p-14)));
    EXPECT_GT(of_query(0x1p-14), 0.0);
}

TEST(Leverage, BoundsHowFarTwoApproximateMinimisersDiffer) {
    // Lemma A.7, corrected: ‖difference‖² ≤ 4(ε − L*)·lev(Z), attained by P* ± √((ε − L*)/lev)
    // Λ⁻¹H(Z).
    const Dataset data = inputs(2, 40, 3);
    const DatasetSource source(data);
    const TriangularFactor factor = triangular_factor(source);
    const Dataset query = inputs(2, 1, 3, 95);
    const DatasetSource at(query);
    const Matrix H = feature_columns(at.block(0));
    const double lev = NumericalLeverage(factor).of(at)(0);
    const Matrix Lambda = factor.R.transpose() * factor.R;
    const Matrix direction = cholesky_solve(cholesky(Lambda), H);
    const Matrix best = fit_qr(factor, 2, {}).P;
    const double excess = 0.25;  // ε − L*

    const Matrix plus = best + std::sqrt(excess / lev) * direction;
    const Matrix minus = best - std::sqrt(excess / lev) * direction;

    const double difference = (predict(plus, at) - predict(minus, at)).squaredNorm();
    // Λ is solved with, forwards stable: ratio 30 times ψ ε and its condition.
    const Vector values = symmetric_eigenvalues(Lambda);
    const double rounding = kRatioBound * gamma_bound(12) * values(5) / values(0);
    EXPECT_LT(std::abs(empirical_risk(plus, source).risk - factor.residual - excess),
              rounding * (factor.label_power + 1.0));
    EXPECT_LT(std::abs(difference / (4.0 * excess * lev) - 1.0), rounding);
    EXPECT_LT(rounding, 1e-10) << "the comparison says something";
}

TEST(ProjectedNoise, BoundIsTheTailOfChiSquare) {
    // sigma² (r + 2√(rt) + 2t) with t = 1.
    EXPECT_DOUBLE_EQ(projected_noise_bound(2.0, 4.0, std::exp(-1.0)), 4.0 * (4.0 + 4.0 + 2.0));
}

TEST(ProjectedNoise, KeepsTheMinimiserNearTheTruthOnEveryQuery) {
    // Lemma E.2, corrected, with Gaussian label noise: of 200 fits at δ = 0.05, 26 or more break
    // the bound with probability below 1e-6. With the mean r in place of the bound about half do.
    const Index N = 30;
    const double sigma = 0.5;
    const Dataset data = inputs(2, N, 3);
    const Dataset queries = inputs(2, 20, 3, 97);
    const TriangularFactor factor = triangular_factor(DatasetSource(data));
    const NumericalLeverage leverage(factor);
    const Vector lev = leverage.of(DatasetSource(queries));
    const Matrix H = feature_columns(DatasetSource(data).block(0));
    const Matrix at = feature_columns(DatasetSource(queries).block(0));
    const Matrix Lambda = H * H.transpose();
    const CholeskyFactor normal = cholesky(Lambda);
    const double energy = projected_noise_bound(sigma, static_cast<double>(leverage.rank()), 0.05);
    int broken = 0;
    int beyond_mean = 0;
    for (Index repetition = 0; repetition < 200; ++repetition) {
        const Matrix noise = sigma * grid_matrix(grid_normal(), N, 1, Stream(98).child(repetition));
        const Vector change = cholesky_solve(normal, H * noise);  // minimiser − truth
        const double projected = change.dot(Lambda * change);
        broken += projected > energy ? 1 : 0;
        beyond_mean += projected > sigma * sigma * 6.0 ? 1 : 0;
        for (Index k = 0; k < lev.size(); ++k) {
            const double distance = change.dot(at.col(k));
            EXPECT_LE(distance * distance * static_cast<double>(N),
                      projected * lev(k) * (1.0 + 1e4 * gamma_bound(40)));
        }
    }
    EXPECT_LT(broken, 26);
    EXPECT_GT(beyond_mean, 26) << "the bound has to say more than the mean";
}

TEST(Leverage, RefusesQueriesOfAnotherDimension) {
    const Dataset data = inputs(3, 80, 2);
    const Dataset queries = inputs(2, 5, 2);
    const NumericalLeverage leverage(triangular_factor(DatasetSource(data)));

    EXPECT_THROW((void)leverage.of(DatasetSource(queries)), InvalidInput);
}

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

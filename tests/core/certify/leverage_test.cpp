#include "core/certify/leverage.hpp"

#include "core/algebra/residual_ratio.hpp"
#include "core/certify/minimum_eigenvalue.hpp"
#include "core/features/predict.hpp"
#include "core/rng/sample.hpp"
#include "core/solve/orthogonal.hpp"
#include "tests/support/problems.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include <cmath>

namespace attest {
namespace {

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
    const Matrix direction = Lambda.ldlt().solve(H);
    const Matrix best = fit_qr(factor, 2, {}).P;
    const double excess = 0.25;  // ε − L*

    const Matrix plus = best + std::sqrt(excess / lev) * direction;
    const Matrix minus = best - std::sqrt(excess / lev) * direction;

    const double difference = (predict(plus, at) - predict(minus, at)).squaredNorm();
    // Λ is solved with, forwards stable: ratio 30 times ψ ε and its condition.
    const Vector values = Lambda.selfadjointView<Eigen::Lower>().eigenvalues();
    const double rounding = kRatioBound * gamma_bound(2 * 6) * values(5) / values(0);
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
    const double energy = projected_noise_bound(sigma, static_cast<double>(leverage.rank()), 0.05);
    int broken = 0;
    int beyond_mean = 0;
    for (Index repetition = 0; repetition < 200; ++repetition) {
        const Matrix noise = sigma * grid_matrix(grid_normal(), N, 1, Stream(98).child(repetition));
        const Vector change = Lambda.ldlt().solve(H * noise).col(0);  // minimiser − truth
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

}  // namespace
}  // namespace attest

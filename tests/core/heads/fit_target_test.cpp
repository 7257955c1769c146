#include "core/heads/fit_target.hpp"

#include "core/algebra/residual_ratio.hpp"
#include "core/features/coefficients.hpp"
#include "core/features/predict.hpp"
#include "core/heads/isometric.hpp"
#include "core/heads/least_squares.hpp"
#include "core/moments/triangular_factor.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/heads.hpp"
#include "tests/support/problems.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace attest {
namespace {

TEST(LeastSquares, SolvesWithFullRank) {
    const Matrix A = test::normal_matrix(12, 5, Stream(1));
    const Matrix B = test::normal_matrix(12, 2, Stream(2));

    const LeastSquares solve = least_squares(A, B);

    EXPECT_LT(least_squares_ratio(A, solve.solution, B), kRatioBound);
    EXPECT_EQ(solve.basis.cols(), 5);
    EXPECT_GT(solve.rcond, 0.0);
}

TEST(LeastSquares, GivesTheLeastSolutionWithoutFullRank) {
    Matrix A = test::normal_matrix(12, 5, Stream(3));
    A.col(4) = A.col(3);
    const Matrix B = test::normal_matrix(12, 2, Stream(4));

    const LeastSquares solve = least_squares(A, B);

    EXPECT_LT(least_squares_ratio(A, solve.solution, B), kRatioBound);
    EXPECT_EQ(solve.basis.cols(), 4);
    EXPECT_EQ(solve.rcond, 0.0);
    // Equal columns share their weight in the least solution.
    EXPECT_LT(difference_ratio(solve.solution.row(3), solve.solution.row(4)), kRatioBound * 12.0);
}

TEST(LeastSquares, SolvesAWideSystemExactly) {
    const Matrix A = test::normal_matrix(3, 7, Stream(5));
    const Matrix B = test::normal_matrix(3, 1, Stream(6));

    const LeastSquares solve = least_squares(A, B);

    EXPECT_LT(difference_ratio(B, A * solve.solution), kRatioBound / solve.rcond);
    EXPECT_THROW((void)least_squares(A, Matrix::Zero(4, 1)), InvalidInput);
}

TEST(ValueDesign, TimesTheValuesIsTheCoefficients) {
    for (const Index d : {1, 2, 3, 5}) {
        for (const Index o : {Index{1}, d, d + 2}) {
            const Parameters theta = test::normal_parameters(d, o, 3, Stream(7).child(d).child(o));
            const HeadFactors factors = head_factors(theta);

            const Matrix p = value_design(factors.Q, d) * solution_of_values(factors.V, d);

            EXPECT_LT(difference_ratio(isometric(coefficients(theta), d), p), kRatioBound);
            EXPECT_EQ(values_of_solution(solution_of_values(factors.V, d), d), factors.V);
        }
    }
}

TEST(ValueDesign, WithQTransposedIsSomethingElse) {
    const Parameters theta = test::normal_parameters(3, 3, 2, Stream(8));
    HeadFactors factors = head_factors(theta);
    for (Index h = 0; h < 2; ++h) {
        const Matrix Q = theta.heads[static_cast<std::size_t>(h)].Q.transpose();
        factors.Q.row(h) = flatten<double>(Q).transpose();
    }

    const Matrix p = value_design(factors.Q, 3) * solution_of_values(factors.V, 3);

    EXPECT_GT(difference_ratio(isometric(coefficients(theta), 3), p), kRatioBound);
}

TEST(FitValues, FindsThePlantedValues) {
    const Parameters theta = test::normal_parameters(4, 3, 3, Stream(9));
    const FitTarget target = frobenius_target(coefficients(theta), 4);

    const ValueFit fit = fit_values(target, head_factors(theta).Q);
    const HeadFactors factors{fit.V, head_factors(theta).Q};

    EXPECT_LT(difference_ratio(target.P, coefficients(balanced_heads(factors, 4))), kRatioBound);
    EXPECT_LE(fit.error, test::representation_bound(4, 3) * target.scale);
}

TEST(FitValues, LeavesAResidualOrthogonalToTheRange) {
    const Matrix P = test::generic_coefficients(3, 2, Stream(10));
    const FitTarget target = frobenius_target(P, 3);
    const Matrix Q = test::normal_matrix(2, 9, Stream(11));

    const ValueFit fit = fit_values(target, Q);

    EXPECT_LT(least_squares_ratio(value_design(Q, 3), solution_of_values(fit.V, 3), target.goal),
              kRatioBound);
}

TEST(FitValues, WithoutHeadsLeavesEverything) {
    const FitTarget target = frobenius_target(test::generic_coefficients(2, 2, Stream(12)), 2);

    EXPECT_EQ(fit_values(target, Matrix(0, 4)).error, target.scale);
}

TEST(WeightedTarget, MeasuresThePredictionsOnTheData) {
    const Parameters theta = test::normal_parameters(3, 2, 2, Stream(13));
    const Dataset data = test::planted_dataset(theta, 100, 5, Stream(14));
    const DatasetSource source(data);
    const Matrix P = coefficients(theta);
    const Matrix other = P + test::normal_matrix(P.rows(), 2, Stream(15));
    const FitTarget target = weighted_target(P, 3, triangular_factor(source).R);

    const double expected =
        (predict(P, source) - predict(other, source)).norm() / predict(P, source).norm();
    const double residual = relative_residual(target, other);

    // Three factorisations of 100×18 matrices and their products, each within about n·ε.
    EXPECT_LT(std::abs(residual / expected - 1.0), kRatioBound * gamma_bound(300));
}

TEST(WeightedTarget, LeavesOutWhatTheDataDoNotShow) {
    // One token a sequence: H(Z) spans only the symmetric cubic forms, C(d+2, 3) dimensions.
    const Parameters theta = test::normal_parameters(3, 1, 1, Stream(16));
    const Dataset data = test::planted_dataset(theta, 80, 1, Stream(17));

    const FitTarget target =
        weighted_target(coefficients(theta), 3, triangular_factor(DatasetSource(data)).R);

    EXPECT_EQ(target.L.rows(), 10);
}

TEST(FitTarget, RefusesWhatItCannotFit) {
    EXPECT_REFUSED("frobenius_target: P has 5 rows", frobenius_target(Matrix::Zero(5, 1), 2));
    EXPECT_REFUSED("frobenius_target: P holds a NaN or an infinity",
                   frobenius_target(Matrix::Constant(6, 1, std::nan("")), 2));
    EXPECT_REFUSED("frobenius_target: the squares of P overflow or vanish",
                   frobenius_target(Matrix::Constant(6, 1, 1e200), 2));
    EXPECT_REFUSED("weighted_target: the second moment is zero",
                   weighted_target(Matrix::Ones(6, 1), 2, Matrix::Zero(4, 6)));
    EXPECT_REFUSED("weighted_target: the factor has 5 columns",
                   weighted_target(Matrix::Ones(6, 1), 2, Matrix::Zero(4, 5)));
}

TEST(BalancedHeads, KeepWAndBalanceItsScales) {
    const HeadFactors factors = head_factors(test::normal_parameters(3, 2, 3, Stream(19)));
    const HeadFactors lopsided{1e3 * factors.V, 1e-3 * factors.Q};

    const Parameters heads = balanced_heads(lopsided, 3);

    EXPECT_LT(difference_ratio(lopsided.V * lopsided.Q, head_tensor(heads)), kRatioBound);
    for (const Head& head : heads.heads) {
        EXPECT_LT(std::abs(head.V.norm() / head.Q.norm() - 1.0), gamma_bound(100));
    }
}

TEST(BalancedHeads, AreTheSameForEveryBasisOfTheHeads) {
    const HeadFactors factors = head_factors(test::normal_parameters(3, 3, 2, Stream(20)));
    const Matrix g{{2.0, 1.0}, {1.0, 1.0}};
    const Matrix inverse{{1.0, -1.0}, {-1.0, 2.0}};

    // W of another basis is the same up to rounding times cond(g) = 6.9.
    EXPECT_LT(difference_ratio(factors.V * factors.Q, (factors.V * g) * (inverse * factors.Q)),
              kRatioBound);
}

}  // namespace
}  // namespace attest

#include "core/solve/other_minimisers.hpp"

#include "core/algebra/lapack.hpp"
#include "core/algebra/residual_ratio.hpp"
#include "core/moments/moment_sums.hpp"
#include "core/solve/orthogonal.hpp"
#include "tests/support/problems.hpp"

#include <gtest/gtest.h>

namespace attest {
namespace {

Dataset noisy_plant(Index N, Index n) {
    const Stream stream = Stream(41).child(N).child(n);
    return test::planted_dataset(
        test::normal_parameters(2, 2, 1, stream.child("theta")), N, n, stream.child("data"));
}

TEST(RandomErm, HasTheTrainingLossOfTheMinimumNormFitButIsAnotherFunction) {
    const Dataset data = noisy_plant(30, 1);  // one token: features {1,2}2 and {2,2}1 coincide
    const TriangularFactor factor = triangular_factor(DatasetSource(data));

    const LeastSquaresFit least = fit_svd(factor, 2, {});
    const LeastSquaresFit other = fit_random_erm(factor, 2, {}, 1.0, Stream(1));

    EXPECT_EQ(other.rank, 4);
    EXPECT_EQ(other.status, SolveStatus::minimum_norm_at_numerical_rank);
    EXPECT_LT(difference_ratio(factor.R * least.P, factor.R * other.P), kRatioBound);
    EXPECT_GT((least.P - other.P).norm(), 0.1 * least.P.norm());
}

TEST(RandomErm, IsTheUniqueMinimiserWhenTheRankIsFull) {
    const TriangularFactor factor = triangular_factor(DatasetSource(noisy_plant(30, 3)));

    EXPECT_EQ(fit_random_erm(factor, 2, {}, 1.0, Stream(1)).P, fit_svd(factor, 2, {}).P);
}

TEST(RandomErm, CoversTheWholeNullSpaceWhenThereAreFewExamples) {
    const TriangularFactor factor = triangular_factor(DatasetSource(noisy_plant(2, 3)));

    const LeastSquaresFit a = fit_random_erm(factor, 2, {}, 1.0, Stream(1));
    const LeastSquaresFit b = fit_random_erm(factor, 2, {}, 1.0, Stream(2));

    EXPECT_EQ(a.rank, 2);
    EXPECT_LT(difference_ratio(factor.R * a.P, factor.R * b.P), kRatioBound);
    EXPECT_GT((a.P - b.P).norm(), 0.1);
}

TEST(RandomErm, HasNoRidge) {
    const TriangularFactor factor = triangular_factor(DatasetSource(noisy_plant(2, 3)));
    EXPECT_THROW((void)fit_random_erm(factor, 2, {0.1}, 1.0, Stream(1)), InvalidInput);
}

TEST(GradientDescent, ClosedFormEqualsTheIteration) {
    const Dataset data = noisy_plant(8, 2);
    const TriangularFactor factor = triangular_factor(DatasetSource(data));
    const Matrix Lambda = factor.R.transpose() * factor.R;
    const Matrix cross = factor.R.transpose() * factor.C;
    const double eta = 0.5 / symmetric_eigenvalues(Lambda).maxCoeff();
    const Matrix start = test::normal_matrix(6, 2, Stream(2));
    Matrix P = start;
    for (Index step = 1; step <= 50; ++step) {
        P -= 2.0 * eta * (Lambda * P - cross);
        const Matrix closed = gradient_descent(factor, start, {step});
        // Each step of the iteration adds a few roundings of the size of P.
        ASSERT_LT(difference_ratio(P, closed), kRatioBound * static_cast<double>(step)) << step;
    }
}

TEST(GradientDescent, ZeroStepsLeaveTheStartAndManyReachTheMinimiser) {
    const TriangularFactor factor = triangular_factor(DatasetSource(noisy_plant(60, 3)));
    const Matrix start = test::normal_matrix(6, 2, Stream(3));

    EXPECT_EQ(gradient_descent(factor, start, {0}), start);
    const Matrix minimiser = fit_qr(factor, 2, {}).P;
    const Matrix reached = gradient_descent(factor, start, {100000000});
    const Vector sigma = singular_values(factor.R);
    EXPECT_LT(difference_ratio(minimiser, reached), kRatioBound * sigma(0) / sigma(5));
}

TEST(GradientDescent, NeverTouchesWhatTheDataDoNotDetermine) {
    const TriangularFactor factor = triangular_factor(DatasetSource(noisy_plant(30, 1)));
    const Svd s = svd(factor.R);
    const Matrix null = s.V.rightCols(2);
    const Matrix start = test::normal_matrix(6, 2, Stream(4));

    const Matrix reached = gradient_descent(factor, start, {1000});

    EXPECT_LT(difference_ratio(null.transpose() * start, null.transpose() * reached), kRatioBound);
}

TEST(GradientDescent, RefusesAStartOfTheWrongShape) {
    const TriangularFactor factor = triangular_factor(DatasetSource(noisy_plant(30, 3)));
    EXPECT_THROW((void)gradient_descent(factor, Matrix::Zero(5, 2), {1}), InvalidInput);
    EXPECT_THROW((void)gradient_descent(factor, Matrix::Zero(6, 2), {-1}), InvalidInput);
}

}  // namespace
}  // namespace attest

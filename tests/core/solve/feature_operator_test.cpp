#include "core/solve/feature_operator.hpp"

#include "core/algebra/lapack.hpp"
#include "core/algebra/residual_ratio.hpp"
#include "core/features/cubic.hpp"
#include "core/moments/stored_source.hpp"
#include "core/solve/iterative.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/problems.hpp"
#include "tests/support/sources.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace attest {
namespace {

MomentBatch normal_batch(Index d, Index o, Index N) {
    const Stream stream = Stream(3).child(d);
    return {test::normal_matrix(packed_dim(d), N, stream.child("S")),
            test::normal_matrix(d, N, stream.child("z")),
            test::normal_matrix(o, N, stream.child("y"))};
}

TEST(FeatureOperator, OneExampleByHand) {
    // d = 1: H = s z = 6; P = 5 predicts 30, the label 31 leaves 1.
    const MomentBatch batch{
        Matrix::Constant(1, 1, 3.0), Matrix::Constant(1, 1, 2.0), Matrix::Constant(1, 1, 31.0)};
    const test::BatchSource source(batch, 1);
    const FeatureOperator features(source);
    EXPECT_EQ(features.apply(Matrix::Constant(1, 1, 5.0))(0, 0), 30.0);
    EXPECT_EQ(features.residual(Matrix::Constant(1, 1, 5.0))(0, 0), 1.0);
    EXPECT_EQ(features.apply_transposed(Matrix::Constant(1, 1, 7.0))(0, 0), 42.0);
    EXPECT_EQ(features.longest_feature(), 6.0);
}

TEST(FeatureOperator, IsTheProductWithExplicitFeatures) {
    for (const Index d : {1, 2, 5}) {
        const MomentBatch batch = normal_batch(d, 3, 50);
        const Matrix H = feature_columns(batch);
        const Matrix P = test::normal_matrix(feature_dim(d), 3, Stream(4));
        const test::BatchSource source(batch, 7);
        const StoredSource stored(source, 1);
        for (const MomentSource* any : {static_cast<const MomentSource*>(&source),
                                        static_cast<const MomentSource*>(&stored)}) {
            const FeatureOperator features(*any);
            EXPECT_LT(difference_ratio(P.transpose() * H, features.apply(P)), kRatioBound);
            EXPECT_LT(difference_ratio(H * batch.y.transpose(), features.apply_transposed(batch.y)),
                      kRatioBound);
            EXPECT_EQ(features.labels(), batch.y);
            EXPECT_NEAR(
                features.longest_feature() / H.rowwise().norm().maxCoeff(), 1.0, gamma_bound(99));
        }
    }
}

TEST(FeatureOperator, RefusesShapesThatDoNotFit) {
    const test::BatchSource source(normal_batch(2, 1, 5), 5);
    const FeatureOperator features(source);
    EXPECT_EQ(test::invalid_input_message([&] { (void)features.apply(Matrix::Ones(5, 1)); }),
              "FeatureOperator: P has 5 rows, expected 6");
    EXPECT_EQ(
        test::invalid_input_message([&] { (void)features.apply_transposed(Matrix::Ones(1, 4)); }),
        "FeatureOperator: r has 4 columns, expected 5");
}

TEST(ConjugateGradient, ReachesTheMinimiserAndFindsTheSpectrum) {
    const MomentBatch batch = normal_batch(3, 2, 80);
    const Matrix H = feature_columns(batch);
    const Matrix Lambda = H * H.transpose();
    const test::BatchSource source(batch, 16);
    const FeatureOperator features(source);
    const Vector weights = Vector::Ones(18);
    for (const double ridge : {0.0, 3.0}) {
        const Matrix cross = H * batch.y.transpose();
        const LeastSquaresProblem problem{features, batch.y, ridge, weights, {}};
        const LeastSquaresProblem with_cross{features, batch.y, ridge, weights, cross};
        const Matrix A = Lambda + ridge * Matrix::Identity(18, 18);

        const ConjugateGradientResult plain =
            conjugate_gradient(problem, [](const Matrix& G) { return G; }, {200, 20});
        const CholeskyFactor factor = cholesky(A);
        const auto solve = [&](const Matrix& G) { return cholesky_solve(factor, G); };
        const ConjugateGradientResult preconditioned = conjugate_gradient(problem, solve, {20, 2});
        const ConjugateGradientResult begun = conjugate_gradient(with_cross, solve, {20, 2});

        const Matrix expected = solve(cross);
        const Vector values = symmetric_eigenvalues(A);
        const double condition = values(17) / values(0);
        EXPECT_LT(difference_ratio(expected, plain.P), kRatioBound * condition);
        EXPECT_LT(difference_ratio(expected, preconditioned.P), kRatioBound * condition);
        EXPECT_LT(difference_ratio(expected, begun.P), kRatioBound * condition);
        EXPECT_LE(preconditioned.iterations, 8);
        EXPECT_EQ(begun.iterations, preconditioned.iterations);
        // Ritz values lie inside the spectrum and reach its ends, as the iteration has converged:
        // up to rounding of the largest, and with the preconditioner of the factor it was made of.
        const double rounding = kRatioBound * 18.0 * std::numeric_limits<double>::epsilon();
        EXPECT_NEAR(plain.largest / values(17), 1.0, rounding);
        EXPECT_NEAR(plain.smallest / values(17), 1.0 / condition, rounding);
        EXPECT_NEAR(preconditioned.largest, 1.0, rounding * condition);
        EXPECT_NEAR(preconditioned.smallest, 1.0, rounding * condition);
    }
}

TEST(ConjugateGradient, StopsAtStagnationAndKeepsTheBestIterate) {
    const MomentBatch batch = normal_batch(3, 1, 80);
    const test::BatchSource source(batch, 16);
    const FeatureOperator features(source);
    const LeastSquaresProblem problem{features, batch.y, 0.0, Vector::Ones(18), {}};
    // A preconditioner that lies: the iteration cannot converge.
    const ConjugateGradientResult result = conjugate_gradient(problem,
                                                              [](const Matrix& G) {
                                                                  Matrix X = G;
                                                                  X.topRows(9) *= 1e-12;
                                                                  return X;
                                                              },
                                                              {1000, 3});

    EXPECT_LT(result.iterations, 1000);
    EXPECT_GT(result.gradient, 0.0);
    EXPECT_TRUE(result.P.allFinite());
}

}  // namespace
}  // namespace attest

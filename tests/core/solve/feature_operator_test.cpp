#include "core/solve/feature_operator.hpp"

#include "core/algebra/lapack.hpp"
#include "core/algebra/residual_ratio.hpp"
#include "core/features/cubic.hpp"
#include "core/moments/stored_source.hpp"
#include "core/solve/iterative.hpp"
#include "core/solve/operator_spectrum.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/layer_examples.hpp"
#include "tests/support/problems.hpp"
#include "tests/support/sources.hpp"

#include <gtest/gtest.h>

#include <cmath>
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
    EXPECT_REFUSED("FeatureOperator: P has 5 rows", features.apply(Matrix::Ones(5, 1)));
    EXPECT_REFUSED("FeatureOperator: r has 4 columns",
                   features.apply_transposed(Matrix::Ones(1, 4)));
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

/// Λ_D formed, and all its eigenvalues.
Vector eigenvalues_of(const Dataset& data) {
    const Matrix H = feature_columns(collect(DatasetSource(data)), data.layout());
    return symmetric_eigenvalues(H * H.transpose() / static_cast<double>(H.cols()));
}

void expect_ends(const Dataset& data, const std::string& what) {
    const Vector expected = eigenvalues_of(data);
    const OperatorSpectrum found = operator_spectrum(DatasetSource(data));
    const auto value = [&](double number) { return std::ldexp(number, 2 * found.exponent); };
    ASSERT_TRUE(found.least.converged) << what;
    // A Rayleigh quotient is off by the square of the residual over the gap, and by rounding of Λ.
    const double rounding = value(found.threshold);
    EXPECT_GE(value(found.least.value), expected(0) - rounding) << what;
    EXPECT_LE(value(found.least.value), expected(0) + value(found.least.error) + rounding) << what;
    const double largest = expected(expected.size() - 1);
    EXPECT_LE(value(found.lambda_max), largest * (1.0 + 1e-10)) << what;
    EXPECT_GE(value(found.lambda_max), 0.99 * largest) << what;
}

TEST(OperatorSpectrum, HasTheEndsOfTheSecondMomentsSpectrum) {
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
        expect_ends(
            test::layer_data({.layer = "linear", .d = 4, .count = 400, .levels = 0, .seed = seed}),
            formatted("seed {}", seed));
    }
}

TEST(OperatorSpectrum, IsThatOfEveryLayer) {
    for (const std::string layer : {"decay=1/2", "affine", "lags=2", "degree=0..2"}) {
        expect_ends(test::layer_data({.layer = layer, .count = 300, .levels = 0}), layer);
    }
}

TEST(OperatorSpectrum, ScalesWithThePowerOfTheTokens) {
    Dataset data = test::layer_data({.layer = "linear", .d = 3, .count = 200, .levels = 0});
    const OperatorSpectrum one = operator_spectrum(DatasetSource(data));
    data.tokens.own() *= 0x1p200;
    const OperatorSpectrum two = operator_spectrum(DatasetSource(data));
    EXPECT_EQ(two.exponent, one.exponent + 600);
    EXPECT_EQ(two.least.value, one.least.value);
}

TEST(OperatorSpectrum, SeesDeficientData) {
    Dataset data = test::layer_data({.layer = "linear", .d = 3, .count = 200, .levels = 0});
    EXPECT_TRUE(operator_spectrum(DatasetSource(data)).is_full_rank());
    EXPECT_TRUE(operator_spectrum(DatasetSource(subset(data, 0, 17))).is_deficient());

    Dataset equal = data;
    equal.tokens.own().row(2) = equal.tokens.own().row(1);
    EXPECT_TRUE(operator_spectrum(DatasetSource(equal)).is_deficient());

    // One token a sequence: S_jj z_k = S_jk z_j, and no factor of s ⊗ u alone shows it.
    const Dataset single =
        test::layer_data({.layer = "linear", .d = 3, .n = {1, 1}, .count = 200, .levels = 0});
    EXPECT_TRUE(operator_spectrum(DatasetSource(single)).is_deficient());
}

}  // namespace

}  // namespace attest

#include "core/algebra/packed_cholesky.hpp"

#include "core/algebra/lapack.hpp"
#include "core/algebra/residual_ratio.hpp"
#include "core/base/interrupt.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/problems.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace attest {
namespace {

/// Symmetric positive definite of condition about 100.
Matrix positive_matrix(Index n) {
    const Matrix A = test::normal_matrix(n, n, Stream(3).child(n));
    return A * A.transpose() + 0.1 * static_cast<double>(n) * Matrix::Identity(n, n);
}

template <class Scalar>
VectorOf<Scalar> packed(const Matrix& A) {
    VectorOf<Scalar> entries(packed_dim(A.rows()));
    for (Index j = 0; j < A.rows(); ++j) {
        for (Index i = j; i < A.rows(); ++i) {
            entries(rectangular_packed_index(A.rows(), i, j)) = static_cast<Scalar>(A(i, j));
        }
    }
    return entries;
}

TEST(PackedCholesky, TwoByTwoByHand) {
    // [4 2; 2 5] = L Lᵀ with L = [2 0; 1 2]; the inverse is [5 −2; −2 4]/16.
    const Matrix A = (Matrix(2, 2) << 4.0, 2.0, 2.0, 5.0).finished();
    const PackedCholeskyOf<double> factor = packed_cholesky<double>(packed<double>(A), 2);

    EXPECT_EQ(factor.L, packed<double>((Matrix(2, 2) << 2.0, 0.0, 1.0, 2.0).finished()));
    EXPECT_EQ(factor.norm1, 7.0);
    EXPECT_EQ(factor.rcond, 16.0 / 49.0);
    EXPECT_EQ(factor.solve(Vector::Constant(2, 16.0)), (Vector(2) << 3.0, 2.0).finished());
}

TEST(PackedCholesky, SolvesAsTheFullFactorDoes) {
    for (const Index n : {1, 2, 3, 7, 8, 40, 41, 2101}) {
        const Matrix A = positive_matrix(n);
        const Matrix X = test::normal_matrix(n, 3, Stream(4).child(n));
        const CholeskyFactor full = cholesky(A);

        const PackedCholeskyOf<double> factor = packed_cholesky<double>(packed<double>(A), n);

        ASSERT_TRUE(factor.positive) << n;
        EXPECT_LT(difference_ratio(A * X, A * factor.solve(A * X)), kRatioBound / factor.rcond);
        EXPECT_LT(difference_ratio(X, factor.solve(A * X)), kRatioBound / factor.rcond) << n;
        // Both are Hager's estimate, rarely off by more than 3.
        EXPECT_LE(factor.rcond, 3.0 * full.rcond);
        EXPECT_GE(factor.rcond, full.rcond / 3.0);
    }
}

TEST(PackedCholesky, EndsWhereTheCallIsAskedToStop) {
    StopToken token;
    token.request();
    const StopScope scope(&token);
    EXPECT_THROW((void)packed_cholesky<double>(packed<double>(positive_matrix(4)), 4), Interrupted);
}

TEST(PackedCholesky, SinglePrecisionSolvesToSinglePrecision) {
    constexpr double kSingle = 0x1p-24;
    for (const Index n : {1, 6, 33}) {
        const Matrix A = positive_matrix(n);
        const Matrix X = test::normal_matrix(n, 2, Stream(5).child(n));
        const PackedCholeskyOf<float> factor = packed_cholesky<float>(packed<float>(A), n);

        ASSERT_TRUE(factor.positive);
        const Matrix B = A * X;
        const Matrix solved = factor.solve(MatrixOf<float>(B.cast<float>())).cast<double>();
        const double bound = kRatioBound * static_cast<double>(n) * kSingle / factor.rcond;
        EXPECT_LT((solved - X).norm(), bound * X.norm()) << n;
    }
}

TEST(PackedCholesky, SaysWhenAMatrixIsNotPositiveDefinite) {
    for (const Index n : {1, 4, 5}) {
        for (const Index at : {Index{0}, n - 1}) {
            Matrix A = positive_matrix(n);
            A(at, at) = -1.0;
            const PackedCholeskyOf<double> factor = packed_cholesky<double>(packed<double>(A), n);
            EXPECT_FALSE(factor.positive) << n << ", " << at;
            EXPECT_EQ(factor.rcond, 0.0);
            EXPECT_REFUSED("PackedCholesky: the matrix is not positive definite",
                           factor.solve(Matrix::Ones(n, 1)));
        }
    }
    Matrix A = positive_matrix(3);
    A(2, 1) = std::nan("");
    EXPECT_FALSE(packed_cholesky<double>(packed<double>(A), 3).positive);
}

TEST(PackedCholesky, TheConditionEstimateFollowsThePrescribedOne) {
    for (const double condition : {1e2, 1e6, 1e10}) {
        Vector values = Vector::Ones(30);
        values(29) = 1.0 / condition;
        const Matrix U = test::matrix_with_singular_values(30, Vector::Ones(30), Stream(6));
        const Matrix A = U * values.asDiagonal() * U.transpose();
        const double rcond = packed_cholesky<double>(packed<double>(A), 30).rcond;
        // cond₂/n ≤ cond₁ ≤ n·cond₂, and Hager's estimate is at most 3 times too good.
        EXPECT_LT(rcond, 3.0 * 30.0 / condition);
        EXPECT_GT(rcond, 1.0 / (30.0 * condition));
    }
}

}  // namespace
}  // namespace attest

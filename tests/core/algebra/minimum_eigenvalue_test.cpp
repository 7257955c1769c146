#include "core/algebra/minimum_eigenvalue.hpp"

#include "core/algebra/lapack.hpp"
#include "core/algebra/residual_ratio.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/problems.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace attest {
namespace {

PackedCholeskyOf<double> factored(const Matrix& A) {
    Vector entries(packed_dim(A.rows()));
    for (Index j = 0; j < A.rows(); ++j) {
        for (Index i = j; i < A.rows(); ++i) {
            entries(rectangular_packed_index(A.rows(), i, j)) = A(i, j);
        }
    }
    return packed_cholesky<double>(std::move(entries), A.rows());
}

Matrix with_eigenvalues(const Vector& values) {
    const Index n = values.size();
    const Matrix U = test::matrix_with_singular_values(n, Vector::Ones(n), Stream(2).child(n));
    return U * values.asDiagonal() * U.transpose();
}

/// The relative error beyond which an estimate would say nothing of a margin.
constexpr double kUsefulError = 1e-6;

TEST(MinimumEigenvalue, ByHand) {
    EXPECT_EQ(minimum_eigenvalue(factored(Matrix::Constant(1, 1, 4.0))).value, 4.0);
    // [5 4; 4 5] has the eigenvalues 1 and 9.
    const Matrix A = (Matrix(2, 2) << 5.0, 4.0, 4.0, 5.0).finished();
    EXPECT_NEAR(minimum_eigenvalue(factored(A)).value, 1.0, 30.0 * gamma_bound(9));
}

TEST(MinimumEigenvalue, IsTheFirstOfTheWholeSpectrum) {
    for (const Index n : {3, 8, 40, 120}) {
        for (const double least : {0.5, 1e-4, 1e-9}) {
            Vector values = Vector::LinSpaced(n, 1.0, 5.0);
            values(0) = least;
            const Matrix A = with_eigenvalues(values);

            const EigenvalueEstimate estimate = minimum_eigenvalue(factored(A));

            ASSERT_TRUE(estimate.converged) << n << ", " << least;
            // Both carry the rounding of a backward stable method, n·u·‖A‖; the iteration its own.
            const double rounding = 30.0 * gamma_bound(n) * 5.0;
            EXPECT_LE(std::abs(estimate.value - symmetric_eigenvalues(A)(0)),
                      estimate.error + rounding);
            // The iteration stops at a residual of kRule; the triangular solves round by n·u·cond.
            constexpr double kRule = 1e-12;
            const double left = kRule + 30.0 * gamma_bound(n) * 5.0 / least;
            EXPECT_LT(estimate.error, std::min(left, kUsefulError) * estimate.value);
        }
    }
}

TEST(MinimumEigenvalue, SeesThatTheLeastOneMoved) {
    Vector values = Vector::LinSpaced(20, 1.0, 5.0);
    const double before = minimum_eigenvalue(factored(with_eigenvalues(values))).value;
    values(0) = 0.999;
    const EigenvalueEstimate after = minimum_eigenvalue(factored(with_eigenvalues(values)));
    EXPECT_LT(after.value + after.error, before);
}

TEST(MinimumEigenvalue, NeedsAPositiveDefiniteMatrix) {
    EXPECT_REFUSED("minimum_eigenvalue: the matrix is not positive definite",
                   minimum_eigenvalue(factored(Matrix::Constant(1, 1, -1.0))));
}

}  // namespace
}  // namespace attest

#include "core/algebra/lapack.hpp"

#include "core/algebra/mapped_blas.hpp"
#include "core/algebra/residual_ratio.hpp"
#include "core/base/error.hpp"
#include "core/base/interrupt.hpp"
#include "tests/support/problems.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <limits>

namespace attest::test {
namespace {

constexpr std::array<Index, 5> kSizes{1, 2, 3, 8, 40};

Vector geometric(Index n, double condition) {
    Vector sigma(n);
    for (Index i = 0; i < n; ++i) {
        sigma(i) = n == 1
                       ? 1.0
                       : std::pow(condition, -static_cast<double>(i) / static_cast<double>(n - 1));
    }
    return sigma;
}

TEST(StackQr, FactorHasTheGramMatrixOfTheStackedRows) {
    for (const Index n : kSizes) {
        const Matrix A = normal_matrix(2 * n, n, Stream(1).child(n));
        const Matrix B = normal_matrix(n + 3, n, Stream(2).child(n));

        const Matrix R = stack_qr(stack_qr(Matrix(0, n), A), B);

        const Matrix gram = A.transpose() * A + B.transpose() * B;
        EXPECT_LT(difference_ratio(gram, R.transpose() * R), kRatioBound) << n;
        EXPECT_EQ(R.rows(), n);
        EXPECT_TRUE(R.isUpperTriangular(0.0));
    }
}

TEST(StackQr, IsTrapezoidalWhenThereAreFewerRowsThanColumns) {
    const Matrix B = normal_matrix(2, 5, Stream(3));

    const Matrix R = stack_qr(Matrix(0, 5), B);

    EXPECT_EQ(R.rows(), 2);
    EXPECT_LT(difference_ratio(B.transpose() * B, R.transpose() * R), kRatioBound);
}

/// A call that was asked to stop before it began.
class Stopped : public testing::Test {
protected:
    Stopped() { token_.request(); }

private:
    StopToken token_;
    StopScope scope_{&token_};
};

TEST(StackQr, LargeMatricesAreFactoredPanelByPanel) {
    // 2mn² = 5e9 operations, above what one call of LAPACK is trusted with.
    const Matrix B = normal_matrix(2500, 1000, Stream(31));

    const Matrix R = stack_qr(Matrix(0, 1000), B);

    EXPECT_LT(difference_ratio(B.transpose() * B, R.transpose() * R), kRatioBound);
    EXPECT_TRUE(R.isUpperTriangular(0.0));
}

TEST_F(Stopped, FactorisationsEndBeforeTheirFirstPanel) {
    EXPECT_THROW((void)stack_qr(Matrix(0, 2), Matrix::Identity(3, 2)), Interrupted);
    EXPECT_THROW((void)singular_values(normal_matrix(600, 600, Stream(33))), Interrupted);
}

TEST(Cholesky, LargeMatricesAreFactoredInBlocksOfColumns) {
    // n³/3 = 5e9 operations, above what one call of LAPACK is trusted with.
    const Index n = 2500;
    const Matrix B = normal_matrix(n, 40, Stream(35));
    Matrix A = Matrix::Identity(n, n);
    add_syrk(A, B);
    A.triangularView<Eigen::StrictlyUpper>() = A.transpose();

    const CholeskyFactor factor = cholesky(A);

    ASSERT_TRUE(factor.positive);
    const Matrix rebuilt = factor.L * factor.L.transpose();
    EXPECT_LT(difference_ratio(A, rebuilt), kRatioBound);
    A(n - 1, n - 1) = -1.0;
    EXPECT_FALSE(cholesky(A).positive);
}

TEST(SingularValues, OfLargeMatricesAreThoseOfTheFullDecomposition) {
    const Matrix A = normal_matrix(700, 700, Stream(32));

    EXPECT_LT(difference_ratio(svd(A).sigma, singular_values(A)), kRatioBound);
    // Far from 1 dgesdd takes over, which scales the matrix first.
    const Vector distant = singular_values(std::ldexp(1.0, 500) * A);
    EXPECT_LT(difference_ratio(svd(A).sigma, std::ldexp(1.0, -500) * distant), kRatioBound);
}

TEST(SingularValues, OfALargeSingularMatrixEndInZeros) {
    Matrix A = normal_matrix(600, 600, Stream(34));
    A.rightCols(100) = A.leftCols(100);

    const Vector sigma = singular_values(A);

    // Backward stable: each is off by a modest multiple of n·ε·σ_max (Golub & Van Loan 2013, §8.6).
    const double rounding = kRatioBound * 600.0 * std::numeric_limits<double>::epsilon() * sigma(0);
    EXPECT_LT(sigma(500), rounding);
    EXPECT_GT(sigma(499), rounding);
}

TEST(StackQr, RefusesDifferentWidths) {
    EXPECT_THROW((void)stack_qr(Matrix::Zero(2, 2), Matrix::Zero(2, 3)), InvalidInput);
}

TEST(Svd, RebuildsTheMatrixAndIsOrthonormal) {
    for (const Index n : kSizes) {
        const Matrix A = normal_matrix(n + 2, n, Stream(4).child(n));

        const Svd s = svd(A);

        EXPECT_LT(difference_ratio(A, s.U * s.sigma.asDiagonal() * s.V.transpose()), kRatioBound);
        EXPECT_LT(difference_ratio(Matrix::Identity(n, n), s.U.transpose() * s.U), kRatioBound);
        EXPECT_LT(difference_ratio(Matrix::Identity(n, n), s.V.transpose() * s.V), kRatioBound);
        EXPECT_LT(difference_ratio(s.sigma, singular_values(A)), kRatioBound);
    }
}

TEST(Svd, FindsPrescribedSingularValues) {
    const Vector sigma = geometric(12, 1e10);
    const Matrix A = matrix_with_singular_values(30, sigma, Stream(5));

    EXPECT_LT(difference_ratio(sigma, singular_values(A)), kRatioBound);
}

TEST(SymmetricEigen, ReadsOnlyTheLowerTriangle) {
    Matrix A = normal_matrix(6, 6, Stream(6));
    const Matrix symmetric = A.selfadjointView<Eigen::Lower>();

    const SymmetricEigen eigen = symmetric_eigen(A);

    EXPECT_LT(difference_ratio(
                  symmetric, eigen.vectors * eigen.values.asDiagonal() * eigen.vectors.transpose()),
              kRatioBound);
    EXPECT_LT(difference_ratio(eigen.values, symmetric_eigenvalues(A)), kRatioBound);
}

TEST(Cholesky, FactorsAndSolvesAPositiveDefiniteSystem) {
    for (const Index n : kSizes) {
        const Matrix G = normal_matrix(n, 2 * n, Stream(7).child(n));
        Matrix A = Matrix::Zero(n, n);
        add_syrk(A, G);
        const Matrix full = A.selfadjointView<Eigen::Lower>();
        const Matrix X = normal_matrix(n, 2, Stream(8).child(n));

        const CholeskyFactor factor = cholesky(A);

        ASSERT_TRUE(factor.positive) << n;
        EXPECT_LT(difference_ratio(full, factor.L * factor.L.transpose()), kRatioBound);
        EXPECT_LT(difference_ratio(full * X, full * cholesky_solve(factor, full * X)), kRatioBound);
    }
}

TEST(Cholesky, ReportsAnIndefiniteMatrixInsteadOfThrowing) {
    const CholeskyFactor factor = cholesky(Eigen::Vector2d(1.0, -1.0).asDiagonal());

    EXPECT_FALSE(factor.positive);
    EXPECT_THROW((void)cholesky_solve(factor, Matrix::Ones(2, 1)), InvalidInput);
}

TEST(SolveUpper, SolvesAndRefusesASingularTriangle) {
    const Matrix R = stack_qr(Matrix(0, 5), normal_matrix(9, 5, Stream(9)));
    const Matrix X = normal_matrix(5, 3, Stream(10));

    EXPECT_LT(difference_ratio(R * X, R * solve_upper(R, R * X)), kRatioBound);
    EXPECT_THROW((void)solve_upper(Matrix::Zero(2, 2), Matrix::Ones(2, 1)), InvalidInput);
}

TEST(TriangularRcond, IsWithinAFactorOfTheTruthForADiagonalMatrix) {
    const Vector sigma = geometric(8, 1e6);
    const double rcond = triangular_rcond(sigma.asDiagonal());

    // dtrcon's estimate is exact for diagonal matrices.
    EXPECT_LT(std::abs(rcond / 1e-6 - 1.0), gamma_bound(100));
    EXPECT_EQ(triangular_rcond(Matrix::Zero(3, 3)), 0.0);
}

TEST(MappedBlas, CountsTheFoldersOfBlasLibrariesOnce) {
    const std::string maps =
        "7f00-7f01 r-xp 0 fe:00 1 /usr/lib/openblas-pthread/libblas.so.3\n"
        "7f02-7f03 r-xp 0 fe:00 2 /usr/lib/openblas-pthread/libopenblasp-r0.3.21.so\n"
        "7f04-7f05 r-xp 0 fe:00 3 /usr/lib/libm.so.6\n"
        "7f06-7f07 rw-p 0 00:00 0 [heap]\n";

    EXPECT_EQ(blas_folders_in(maps), (std::vector<std::string>{"/usr/lib/openblas-pthread"}));
    EXPECT_EQ(blas_folders_in(maps + "1-2 r-xp 0 0 9 /usr/lib/blis-openmp/libblis.so.4\n").size(),
              2U);
}

TEST(LapackInfo, NamesTheBackendOfTheBuildAndTheBlasThatIsMapped) {
    const LapackInfo info = lapack_info();
    const std::vector<std::string> mapped = mapped_blas();

    EXPECT_EQ(info.backend, ATTEST_LAPACK_BACKEND);
    EXPECT_GE(info.threads, 1);
    if (info.backend == "eigen") {
        EXPECT_EQ(info.library.rfind("Eigen 3.", 0), 0U) << info.library;
        EXPECT_TRUE(mapped.empty()) << "no BLAS is linked";
        return;
    }
    ASSERT_EQ(mapped.size(), 1U) << "two BLAS in one process";
    EXPECT_EQ(std::filesystem::path(info.library).parent_path().string(), mapped.front());
    // OpenBLAS says its kernel's name, another library none.
    EXPECT_EQ(info.core.empty(), info.library.find("openblas") == std::string::npos)
        << info.library << ' ' << info.core;
}

TEST(LapackInfo, TellsTheThreadsThatWereAskedFor) {
    const int before = lapack_info().threads;
    set_blas_threads(1);
    EXPECT_EQ(lapack_info().threads, 1);
    set_blas_threads(before);
    EXPECT_EQ(lapack_info().threads, before);
}

}  // namespace
}  // namespace attest::test

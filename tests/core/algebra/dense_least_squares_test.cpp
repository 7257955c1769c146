#include "core/algebra/dense_least_squares.hpp"

#include "core/algebra/lapack.hpp"
#include "core/algebra/residual_ratio.hpp"
#include "core/base/error.hpp"
#include "tests/support/problems.hpp"

#include <Eigen/LU>
#include <gtest/gtest.h>

#include <string>

namespace attest {
namespace {

constexpr double kThreshold = 0x1p-40;

struct Driver {
    std::string name;
    DenseLeastSquares (*solve)(Matrix, const Matrix&, double);
    bool reveals_rank;
    bool wide;  ///< answers with fewer rows than columns
};

const std::vector<Driver>& drivers() {
    static const std::vector<Driver> kDrivers = [] {
        std::vector<Driver> all{{"eigen_householder", eigen_householder, false, false},
                                {"eigen_cod", eigen_cod, true, true},
                                {"eigen_bdcsvd", eigen_bdcsvd, true, true}};
        if (lapack_info().backend == "lapacke") {
            all.push_back({"gels", lapack_gels, false, true});
            all.push_back({"gelsy", lapack_gelsy, true, true});
            all.push_back({"gelsd", lapack_gelsd, true, true});
        }
        return all;
    }();
    return kDrivers;
}

TEST(DenseLeastSquares, EveryDriverFitsALineByHand) {
    // Values 1, 2, 4 at 0, 1, 2: intercept 5/6, slope 3/2.
    const Matrix A = (Matrix(3, 2) << 1.0, 0.0, 1.0, 1.0, 1.0, 2.0).finished();
    const Matrix B = (Matrix(3, 1) << 1.0, 2.0, 4.0).finished();
    for (const Driver& driver : drivers()) {
        const DenseLeastSquares found = driver.solve(A, B, kThreshold);
        const Matrix expected = (Matrix(2, 1) << 5.0 / 6.0, 1.5).finished();
        EXPECT_LT(difference_ratio(expected, found.X), kRatioBound) << driver.name;
        EXPECT_GT(found.rcond, 0.05) << driver.name;
    }
}

TEST(DenseLeastSquares, ResidualRatiosAreSmall) {
    // The condition in the 1-norm is within a factor n of this one; an estimate of it is too small,
    // rarely by more than 10 (Higham 2002, section 15.3).
    const double condition = 1e6;
    constexpr double kEstimatorFactor = 10.0;
    const Matrix A = test::matrix_with_singular_values(
        40,
        Vector::LinSpaced(12, 0.0, 6.0).unaryExpr([](double e) { return std::pow(10.0, -e); }),
        Stream(8));
    const Matrix B = A * test::normal_matrix(12, 3, Stream(9));
    for (const Driver& driver : drivers()) {
        const DenseLeastSquares found = driver.solve(A, B, kThreshold);
        EXPECT_LT(least_squares_ratio(A, found.X, B), kRatioBound) << driver.name;
        EXPECT_LT(found.rcond, kEstimatorFactor / condition) << driver.name;
        EXPECT_GT(found.rcond, 1.0 / (12.0 * condition)) << driver.name;
    }
}

TEST(DenseLeastSquares, RankRevealingDriversGiveTheMinimumNorm) {
    Vector sigma = Vector::Ones(8);
    sigma.tail(3).setZero();
    const Matrix A = test::matrix_with_singular_values(20, sigma, Stream(10));
    const Matrix B = test::normal_matrix(20, 2, Stream(11));
    const Svd s = svd(A);
    const Matrix expected = s.V.leftCols(5) * (s.U.leftCols(5).transpose() * B);
    for (const Driver& driver : drivers()) {
        if (driver.reveals_rank) {
            const DenseLeastSquares found = driver.solve(A, B, kThreshold);
            EXPECT_EQ(found.rank, 5) << driver.name;
            EXPECT_LT(difference_ratio(expected, found.X), kRatioBound) << driver.name;
        } else {
            EXPECT_LT(driver.solve(A, B, kThreshold).rcond, kThreshold) << driver.name;
        }
    }
}

TEST(DenseLeastSquares, FewerRowsThanColumns) {
    const Matrix A = test::normal_matrix(4, 9, Stream(12));
    const Matrix B = test::normal_matrix(4, 2, Stream(13));
    const Matrix expected = A.transpose() * (A * A.transpose()).inverse() * B;
    for (const Driver& driver : drivers()) {
        const DenseLeastSquares found = driver.solve(A, B, kThreshold);
        if (driver.wide) {
            EXPECT_LT(difference_ratio(expected, found.X), kRatioBound / found.rcond)
                << driver.name;
        } else {
            EXPECT_EQ(found.X.size(), 0) << driver.name;
        }
    }
}

}  // namespace
}  // namespace attest

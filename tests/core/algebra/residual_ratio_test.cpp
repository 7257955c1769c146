#include "core/algebra/residual_ratio.hpp"

#include "core/base/bitwise.hpp"
#include "core/base/error.hpp"

#include <Eigen/QR>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>

namespace attest {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Matrix draw_matrix(Index rows, Index cols) {
    Matrix A(rows, cols);
    for (Index j = 0; j < cols; ++j) {
        for (Index i = 0; i < rows; ++i) {
            A(i, j) = static_cast<double>(*rc::gen::inRange(-1000, 1001)) / 64.0;
        }
    }
    return A;
}

TEST(LeastSquaresRatio, OfAZeroGuessIsTheFormulaByHand) {
    // H = Y = I₂, P = 0: the gradient is I, so the ratio is 1 / (2·1·1·2⁻⁵²) = 2⁵¹.
    const Matrix I = Matrix::Identity(2, 2);

    EXPECT_TRUE(bitwise_equal(least_squares_ratio(I, Matrix::Zero(2, 2), I), std::ldexp(1.0, 51)));
}

TEST(LeastSquaresRatio, DividesByTheLargestOfAllThreeDimensions) {
    // Hᵀ(Y − HP) = [1 … 1] (1×5), ‖H‖₁ = 1, ‖Y‖₁ = 1, and o = 5 is the largest dimension.
    const Matrix H = Matrix::Identity(1, 1);
    const Matrix Y = Matrix::Ones(1, 5);

    EXPECT_TRUE(
        bitwise_equal(least_squares_ratio(H, Matrix::Zero(1, 5), Y), std::ldexp(1.0, 52) / 5.0));
}

TEST(LeastSquaresRatio, IsZeroForAnExactSolutionAndForEmptyProblems) {
    const Matrix I = Matrix::Identity(3, 3);

    EXPECT_TRUE(is_zero(least_squares_ratio(I, I, I)));
    EXPECT_TRUE(is_zero(least_squares_ratio(Matrix(0, 3), Matrix::Zero(3, 1), Matrix(0, 1))));
}

RC_GTEST_PROP(LeastSquaresRatio, AcceptsHouseholderQrAndRejectsAPerturbedSolution, ()) {
    const auto psi = *rc::gen::inRange<Index>(1, 7);
    const auto N = psi + *rc::gen::inRange<Index>(0, 20);
    // Diagonally dominant, so that ‖H‖‖P‖ stays of the size of ‖Y‖, as the bound of 30 presumes.
    const Matrix H = draw_matrix(N, psi) / 64.0 + 4.0 * Matrix::Identity(N, psi);
    Matrix Y = draw_matrix(N, 2);
    Y.row(0).setOnes();
    const Matrix P = H.householderQr().solve(Y);
    RC_ASSERT(least_squares_ratio(H, P, Y) < kRatioBound);

    Matrix wrong = P;
    wrong(0, 0) += std::ldexp(1.0, -20) * (1.0 + std::abs(P(0, 0)));

    RC_ASSERT(least_squares_ratio(H, wrong, Y) > kRatioBound);
}

TEST(LeastSquaresRatio, PassesNoSolutionThatHoldsANan) {
    const Matrix I = Matrix::Identity(3, 3);
    for (Index bad = 0; bad < 3; ++bad) {
        Matrix P = I;
        P(1, bad) = kNan;

        EXPECT_FALSE(least_squares_ratio(I, P, I) < kRatioBound) << "NaN in column " << bad;
    }
}

TEST(LeastSquaresRatio, RefusesShapesThatDoNotFit) {
    try {
        static_cast<void>(least_squares_ratio(Matrix(4, 2), Matrix(3, 1), Matrix(4, 1)));
        ADD_FAILURE() << "nothing was thrown";
    } catch (const InvalidInput& error) {
        EXPECT_STREQ(error.what(),
                     "least_squares_ratio: got H 4x2, P 3x1, Y 4x1, expected Nxpsi, psixo, Nxo");
    }
}

TEST(DifferenceRatio, CountsRoundingErrors) {
    // ‖A − B‖₁ = 2⁻⁵², ‖A‖₁ = 1, max dimension 2: half a unit.
    const Matrix A = Matrix::Identity(2, 2);
    Matrix B = A;
    B(0, 0) += std::numeric_limits<double>::epsilon();

    EXPECT_TRUE(bitwise_equal(difference_ratio(A, B), 0.5));
    EXPECT_TRUE(is_zero(difference_ratio(A, A)));
    EXPECT_GT(difference_ratio(A, -A), kRatioBound);
}

TEST(DifferenceRatio, OfZeroMatricesIsZeroAndFromZeroIsTheDifference) {
    const Matrix zero = Matrix::Zero(2, 2);

    EXPECT_TRUE(is_zero(difference_ratio(zero, zero)));
    EXPECT_TRUE(bitwise_equal(difference_ratio(zero, Matrix::Identity(2, 2)), 1.0));
}

TEST(DifferenceRatio, PassesNoNan) {
    const Matrix A = Matrix::Identity(3, 3);
    for (Index bad = 0; bad < 3; ++bad) {
        Matrix B = A;
        B(2, bad) = kNan;

        EXPECT_FALSE(difference_ratio(A, B) < kRatioBound) << "NaN in column " << bad;
        EXPECT_FALSE(difference_ratio(B, A) < kRatioBound) << "NaN in column " << bad;
    }
}

TEST(DifferenceRatio, RefusesDifferentShapes) {
    try {
        static_cast<void>(difference_ratio(Matrix(2, 3), Matrix(3, 2)));
        ADD_FAILURE() << "nothing was thrown";
    } catch (const InvalidInput& error) {
        EXPECT_STREQ(error.what(), "difference_ratio: got 2x3 and 3x2, expected equal shapes");
    }
}

TEST(GammaBound, IsHighamsGamma) {
    const double u = std::ldexp(1.0, -53);

    EXPECT_TRUE(is_zero(gamma_bound(0)));
    EXPECT_TRUE(bitwise_equal(gamma_bound(1), u / (1.0 - u)));
    EXPECT_TRUE(
        bitwise_equal(gamma_bound(1 << 20), std::ldexp(1.0, -33) / (1.0 - std::ldexp(1.0, -33))));
}

RC_GTEST_PROP(GammaBound, CoversTheErrorOfAnInnerProduct, ()) {
    // Higham 2002, §3.1: |fl(aᵀb) − aᵀb| ≤ γ_n |a|ᵀ|b|. The reference's own error, in long double
    // below n·2⁻⁶³ ≤ u, is what the n+1 stands for.
    const auto n = *rc::gen::inRange<Index>(1, 200);
    const Matrix a = draw_matrix(n, 1) / 3.0;
    const Matrix b = draw_matrix(n, 1) / 7.0;
    double sum = 0.0;
    long double reference = 0.0L;
    long double absolute = 0.0L;
    for (Index i = 0; i < n; ++i) {
        sum += a(i) * b(i);
        const long double product = static_cast<long double>(a(i)) * static_cast<long double>(b(i));
        reference += product;
        absolute += std::abs(product);
    }
    const auto error = std::abs(static_cast<long double>(sum) - reference);

    RC_ASSERT(error <= static_cast<long double>(gamma_bound(n + 1)) * absolute);
}

}  // namespace
}  // namespace attest

#include "core/heads/rational_elimination.hpp"

#include "core/algebra/lapack.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

namespace attest {
namespace {

using ExactMatrix = MatrixOf<Rational>;

ExactMatrix integers(Index rows, Index cols) {
    ExactMatrix A(rows, cols);
    for (Index i = 0; i < A.size(); ++i) {
        A.data()[i] = Rational(*rc::gen::inRange(-3, 4));
    }
    return A;
}

/// Unit lower triangular integers times unit upper triangular ones: determinant 1.
ExactMatrix unimodular(Index n) {
    ExactMatrix L = integers(n, n);
    ExactMatrix U = integers(n, n);
    L.triangularView<Eigen::StrictlyUpper>().setZero();
    U.triangularView<Eigen::StrictlyLower>().setZero();
    L.diagonal().setOnes();
    U.diagonal().setOnes();
    return L * U;
}

RC_GTEST_PROP(RationalRank, IsTheNumberOfPlantedDirections, ()) {
    const Index n = *rc::gen::inRange<Index>(1, 6);
    const Index rank = *rc::gen::inRange<Index>(0, static_cast<int>(n) + 1);
    ExactMatrix D = ExactMatrix::Zero(n, n);
    D.diagonal().head(rank).setConstant(Rational(1, 3));

    RC_ASSERT(rational_rank(unimodular(n) * D * unimodular(n)) == rank);
}

RC_GTEST_PROP(RationalInertia, ObeysSylvestersLaw, ()) {
    const Index n = *rc::gen::inRange<Index>(1, 6);
    ExactMatrix D = ExactMatrix::Zero(n, n);
    Inertia expected;
    for (Index i = 0; i < n; ++i) {
        const int value = *rc::gen::inRange(-2, 3);
        D(i, i) = Rational(value, 7);
        expected.positive += value > 0 ? 1 : 0;
        expected.negative += value < 0 ? 1 : 0;
    }
    const ExactMatrix T = unimodular(n);

    const Inertia inertia = rational_inertia(T.transpose() * D * T);

    RC_ASSERT(inertia.positive == expected.positive);
    RC_ASSERT(inertia.negative == expected.negative);
}

RC_GTEST_PROP(RationalInertia, AgreesWithTheEigenvaluesOnZeroDiagonals, ()) {
    const Index n = *rc::gen::inRange<Index>(1, 6);
    const ExactMatrix G = integers(n, n);
    ExactMatrix S = G + G.transpose();
    S.diagonal().setZero();
    Matrix numbers(n, n);
    for (Index i = 0; i < S.size(); ++i) {
        numbers.data()[i] = S.data()[i].convert_to<double>();
    }
    // The product of the non-zero eigenvalues is an integer coefficient of the characteristic
    // polynomial and each is at most ‖S‖ ≤ 30 in modulus, so none lies below 30⁻⁴; rounding is
    // below 30·n·ε.
    const Vector eigenvalues = symmetric_eigenvalues(numbers);
    const double gap = std::pow(30.0, -4.0);

    const Inertia inertia = rational_inertia(S);

    RC_ASSERT(inertia.positive == (eigenvalues.array() > 0.5 * gap).count());
    RC_ASSERT(inertia.negative == (eigenvalues.array() < -0.5 * gap).count());
}

TEST(RationalInertia, HandlesAZeroDiagonal) {
    const ExactMatrix hyperbolic{{Rational(0), Rational(1)}, {Rational(1), Rational(0)}};

    EXPECT_EQ(rational_inertia(hyperbolic).positive, 1);
    EXPECT_EQ(rational_inertia(hyperbolic).negative, 1);
    // Trace 0 and determinant 2·1·2·3 > 0: one positive square, two negative ones.
    const ExactMatrix three{{Rational(0), Rational(1), Rational(2)},
                            {Rational(1), Rational(0), Rational(3)},
                            {Rational(2), Rational(3), Rational(0)}};
    EXPECT_EQ(rational_inertia(three).positive, 1);
    EXPECT_EQ(rational_inertia(three).negative, 2);
    EXPECT_EQ(test::invalid_input_message([] { (void)rational_inertia(ExactMatrix(1, 2)); }),
              "rational_inertia: the matrix is not square");
}

}  // namespace
}  // namespace attest

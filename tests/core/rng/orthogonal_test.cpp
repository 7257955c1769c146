#include "core/rng/orthogonal.hpp"

#include "core/algebra/residual_ratio.hpp"
#include "core/base/bitwise.hpp"
#include "core/exact/scalars.hpp"
#include "core/rng/sample.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>

namespace attest {
namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

/// ‖QᵀQ − I‖₁ / (d·ε), the orthogonality ratio of LAPACK's test programs (LAWN 41).
double orthogonality_ratio(const Matrix& Q) {
    const Matrix defect = Q.transpose() * Q - Matrix::Identity(Q.cols(), Q.cols());
    return defect.cwiseAbs().colwise().sum().maxCoeff() /
           (static_cast<double>(Q.cols()) * kEpsilon);
}

TEST(RandomOrthogonal, BitsArePinned) {
    const Matrix Q = random_orthogonal(3, Stream(1).child("q"));

    EXPECT_TRUE(bitwise_equal(Q(0, 0), 0.675332100704084));
    EXPECT_TRUE(bitwise_equal(Q(2, 1), -0.3119746286365975));
    EXPECT_TRUE(bitwise_equal(Q(1, 2), 0.15804366117266205));
}

TEST(RandomOrthogonal, OneDimensionIsTheSignOfTheDraw) {
    const Stream stream = Stream(3).child("q");

    const double draw = grid_matrix(grid_normal(), 1, 1, stream)(0, 0);

    EXPECT_TRUE(bitwise_equal(random_orthogonal(1, stream)(0, 0), draw < 0.0 ? -1.0 : 1.0));
}

RC_GTEST_PROP(RandomOrthogonal, ColumnsAreOrthonormal, (std::uint64_t seed)) {
    const auto d = *rc::gen::element<Index>(1, 2, 3, 5, 8, 16);

    RC_ASSERT(orthogonality_ratio(random_orthogonal(d, Stream(seed))) < kRatioBound);
}

// Haar measure needs the QR decomposition whose R has a positive diagonal; a Householder Q without
// the sign fix has R's diagonal opposite to the column's leading entry and fails here.
RC_GTEST_PROP(RandomOrthogonal,
              IsTheQOfTheGaussianMatrixWithPositiveDiagonal,
              (std::uint64_t seed)) {
    const auto d = *rc::gen::element<Index>(1, 2, 3, 5, 8);
    const Stream stream(seed);
    const Matrix A = grid_matrix(grid_normal(), d, d, stream);

    const Matrix R = random_orthogonal(d, stream).transpose() * A;

    const double unit = A.cwiseAbs().colwise().sum().maxCoeff() * static_cast<double>(d) * kEpsilon;
    for (Index j = 0; j < d; ++j) {
        RC_ASSERT(R(j, j) > 0.0);
        for (Index i = j + 1; i < d; ++i) {
            RC_ASSERT(std::abs(R(i, j)) < kRatioBound * unit);
        }
    }
}

RC_GTEST_PROP(SignedPermutation, HasOneUnitInEveryRowAndColumn, (std::uint64_t seed)) {
    const auto d = *rc::gen::inRange<Index>(1, 9);

    const Matrix X = random_signed_permutation(d, Stream(seed));

    RC_ASSERT(X.transpose() * X == Matrix::Identity(d, d));
    RC_ASSERT((X.array() != 0.0).count() == d);
}

TEST(Cayley, TurnsTheUnitSkewMatrixIntoAQuarterTurn) {
    MatrixOf<Rational> K(2, 2);
    K << Rational(0), Rational(1), Rational(-1), Rational(0);

    const MatrixOf<Rational> X = cayley<Rational>(K);

    // (I − K)(I + K)⁻¹ with K = [0 1; −1 0]: ½ [1 −1; 1 1] [1 −1; 1 1] = [0 −1; 1 0].
    EXPECT_EQ(X(0, 0), Rational(0));
    EXPECT_EQ(X(0, 1), Rational(-1));
    EXPECT_EQ(X(1, 0), Rational(1));
    EXPECT_EQ(X(1, 1), Rational(0));
}

RC_GTEST_PROP(Cayley, SolvesItsDefiningEquation, (std::uint64_t seed)) {
    const auto d = *rc::gen::inRange<Index>(1, 6);
    const MatrixOf<Rational> K = random_skew(d, 3, Stream(seed)).cast<Rational>();
    const MatrixOf<Rational> I = MatrixOf<Rational>::Identity(d, d);

    const MatrixOf<Rational> X = cayley<Rational>(K);

    RC_ASSERT(K.transpose() == -K);
    RC_ASSERT(MatrixOf<Rational>(X * (I + K)) == MatrixOf<Rational>(I - K));
}

RC_GTEST_PROP(RationalOrthogonal, IsExactlyOrthogonal, (std::uint64_t seed)) {
    const auto d = *rc::gen::inRange<Index>(1, 6);

    const MatrixOf<Rational> X = random_rational_orthogonal<Rational>(d, 2, Stream(seed));

    RC_ASSERT(MatrixOf<Rational>(X.transpose() * X) ==
              MatrixOf<Rational>(MatrixOf<Rational>::Identity(d, d)));
}

TEST(RationalOrthogonal, ReachesBothDeterminants) {
    bool turned = false;
    bool mirrored = false;
    for (Index i = 0; i < 64; ++i) {
        const MatrixOf<Rational> X = random_rational_orthogonal<Rational>(2, 2, Stream(1).child(i));
        const Rational det = X(0, 0) * X(1, 1) - X(0, 1) * X(1, 0);
        turned = turned || det == Rational(1);
        mirrored = mirrored || det == Rational(-1);
    }

    EXPECT_TRUE(turned);
    EXPECT_TRUE(mirrored);
}

TEST(RandomSkew, RefusesABoundBelowOne) {
    EXPECT_REFUSED("random_skew: got bound 0", random_skew(2, 0, Stream(0)));
    EXPECT_REFUSED("cayley: K is 2x3", cayley<double>(Matrix::Zero(2, 3)));
}

}  // namespace
}  // namespace attest

#include "core/exact/scalars.hpp"

#include "core/exact/reals.hpp"

#include <gtest/gtest.h>

namespace attest {
namespace {

/// Each scalar works inside Eigen: product, inverse-free solve by hand, cast from double.
template <class Scalar>
class Scalars : public ::testing::Test {};

using Kinds = ::testing::Types<Rational, Real50, Real100>;
TYPED_TEST_SUITE(Scalars, Kinds);

TYPED_TEST(Scalars, CastDoublesExactlyAndMultiplyMatrices) {
    const Matrix A{{0.1, 0.5}, {-2.0, 3.0}};

    const MatrixOf<TypeParam> B = A.cast<TypeParam>();
    const MatrixOf<TypeParam> square = B * B;

    EXPECT_EQ(B(0, 0), TypeParam(0.1));
    EXPECT_NE(B(0, 0), TypeParam(1) / TypeParam(10));
    EXPECT_EQ(square(1, 1), TypeParam(8));
    EXPECT_EQ(static_cast<double>(B(0, 0)), 0.1);
}

TEST(Scalars, RealsKeepTheDigitsTheyPromise) {
    const Real50 third50 = Real50(1) / 3;
    const Real100 third100 = Real100(1) / 3;
    const Real100 error = abs(Real100(third50) - third100) * 3;

    // Half a unit in the last place: below 10^-50, above what 100 digits would leave.
    EXPECT_LT(error, pow(Real100(10), -50));
    EXPECT_GT(error, pow(Real100(10), -60));
}

TEST(Scalars, IntegersAndRationalsGrowWithoutBound) {
    const Integer power = Integer(1) << 4000;

    EXPECT_EQ((power + 1) * (power - 1), power * power - 1);
    EXPECT_EQ(Rational(power, Integer(power * 3)), Rational(1, 3));
}

}  // namespace
}  // namespace attest

#include "core/exact/dyadic.hpp"

#include "core/base/bitwise.hpp"
#include "core/exact/reals.hpp"
#include "core/exact/scalars.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

namespace attest {

namespace {

double draw_finite() {
    return *rc::gen::suchThat(
        rc::gen::map(rc::gen::arbitrary<std::uint64_t>(),
                     [](std::uint64_t bits) { return std::bit_cast<double>(bits); }),
        [](double value) { return std::isfinite(value); });
}

TEST(DyadicForm, HasAnOddMantissa) {
    EXPECT_EQ(dyadic(0.75), (Dyadic{3, -2}));
    EXPECT_EQ(dyadic(-40.0), (Dyadic{-5, 3}));
    EXPECT_EQ(dyadic(0.0), (Dyadic{0, 0}));
    EXPECT_EQ(dyadic(-0.0), (Dyadic{0, 0}));
    EXPECT_EQ(dyadic(std::numeric_limits<double>::denorm_min()), (Dyadic{1, -1074}));
    EXPECT_EQ(dyadic(std::numeric_limits<double>::max()), (Dyadic{(1LL << 53) - 1, 971}));
}

RC_GTEST_PROP(DyadicForm, GivesTheDoubleBack, ()) {
    const double value = draw_finite();

    const Dyadic x = dyadic(value);

    RC_ASSERT(x.mantissa == 0 || x.mantissa % 2 != 0);
    RC_ASSERT(is_zero(value) ||
              bitwise_equal(std::ldexp(static_cast<double>(x.mantissa), x.exponent), value));
}

TEST(ToRational, GivesTheExactFraction) {
    EXPECT_EQ(to_rational(0.75), Rational(3, 4));
    EXPECT_EQ(to_rational(-6.0), Rational(-6));
    // 0.1 is not one tenth.
    EXPECT_EQ(to_rational(0.1),
              Rational(Integer("3602879701896397"), Integer("36028797018963968")));
}

RC_GTEST_PROP(ToRational, AgreesWithTheConversionOfTheLibrary, ()) {
    const double value = draw_finite();

    RC_ASSERT(to_rational(value) == Rational(value));
}

TEST(DyadicRange, HoldsTheFinestUnitAndTheLargestSize) {
    DyadicRange range;
    EXPECT_TRUE(range.is_zero());
    EXPECT_EQ(range.bits(), 0);

    range.include(0.75);
    range.include(0.0);
    range.include(-5.0);

    EXPECT_EQ(range.low, -2);
    EXPECT_EQ(range.high, 3);
    EXPECT_EQ(range.bits(), 5);
}

TEST(BitLength, CountsBinaryDigits) {
    EXPECT_EQ(bit_length(Integer(0)), 0);
    EXPECT_EQ(bit_length(Integer(1)), 1);
    EXPECT_EQ(bit_length(Integer(-8)), 4);
    EXPECT_EQ(bit_length(Integer(Integer(1) << 200)), 201);
}

TEST(PowerOfTwo, TakesBothSigns) {
    EXPECT_EQ(power_of_two(3), Rational(8));
    EXPECT_EQ(power_of_two(-3), Rational(1, 8));
    EXPECT_EQ(power_of_two(0), Rational(1));
}

TEST(DyadicForm, RefusesNanAndInfinity) {
    EXPECT_REFUSED("dyadic: got nan", dyadic(std::nan("")));
    EXPECT_REFUSED("dyadic: got -inf", to_rational(-HUGE_VAL));
}

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

#include "core/exact/modulus.hpp"

#include "core/exact/fixed_factor.hpp"
#include "core/exact/modular_matrix.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <cmath>
#include <vector>

namespace attest {
namespace {

/// The largest prime below 2⁶³, the smallest odd one, and primes on both sides of powers of two.
constexpr std::uint64_t kLargestPrime = 9223372036854775783U;

std::uint64_t draw_prime() {
    return *rc::gen::element<std::uint64_t>(3U,
                                            5U,
                                            257U,
                                            67108859U,
                                            2147483647U,
                                            4294967311U,
                                            kDefaultPrime,
                                            4611686018427388039U,
                                            kLargestPrime);
}

Residue draw_residue(const Modulus& p) {
    return *rc::gen::arbitrary<std::uint64_t>() % p.prime();
}

Integer as_integer(Residue a) {
    return a;
}

TEST(Modulus, ReducesNegativeNumbersAndFractionsByHand) {
    const Modulus p(7);

    EXPECT_EQ(p.reduce(std::int64_t{-1}), 6U);
    EXPECT_EQ(p.reduce(0.5), 4U);    // 2·4 = 8 ≡ 1
    EXPECT_EQ(p.reduce(-0.75), 1U);  // −3/4 = −3·2 = −6 ≡ 1
    EXPECT_EQ(p.reduce(40.0), 5U);
    EXPECT_EQ(p.reduce(Integer(-8)), 6U);
    EXPECT_EQ(p.inverse(3), 5U);
    EXPECT_EQ(p.balanced(5), -2);
}

RC_GTEST_PROP(FixedFactor, MultipliesAnyWordAsBigIntegersDo, ()) {
    const Modulus p(draw_prime());
    const Residue factor = draw_residue(p);
    const auto word = *rc::gen::element<std::uint64_t>(
        0U, 1U, p.prime() - 1, p.prime(), ~std::uint64_t{0}, *rc::gen::arbitrary<std::uint64_t>());

    RC_ASSERT(as_integer(FixedFactor(p, factor).times(word)) ==
              (as_integer(factor) * as_integer(word)) % Integer(p.prime()));
    RC_ASSERT(FixedFactor(p, p.prime() - 1).times(p.prime() - 1) == 1U);
}

RC_GTEST_PROP(Modulus, AgreesWithBigIntegersForEveryOperation, ()) {
    const Modulus p(draw_prime());
    const Integer prime(p.prime());
    const Residue a = draw_residue(p);
    const Residue b = draw_residue(p);

    RC_ASSERT(as_integer(p.add(a, b)) == (as_integer(a) + as_integer(b)) % prime);
    RC_ASSERT(as_integer(p.multiply(a, b)) == (as_integer(a) * as_integer(b)) % prime);
    RC_ASSERT(p.add(p.subtract(a, b), b) == a);
    RC_ASSERT(p.add(a, p.negate(a)) == 0U);
    if (a != 0U) {
        RC_ASSERT(p.multiply(a, p.inverse(a)) == 1U);
    }
}

RC_GTEST_PROP(Modulus, MultipliesTheLargestResidues, ()) {
    const Modulus p(draw_prime());

    RC_ASSERT(p.multiply(p.prime() - 1, p.prime() - 1) == 1U);
}

RC_GTEST_PROP(Modulus, ReducesDoublesAsTheirExactFractions, ()) {
    const Modulus p(draw_prime());
    const auto bits = *rc::gen::arbitrary<std::uint64_t>();
    const auto value = std::bit_cast<double>(bits);
    RC_PRE(std::isfinite(value));

    const Rational x = to_rational(value);
    const Residue numerator = p.reduce(Integer(boost::multiprecision::numerator(x)));
    const Residue denominator = p.reduce(Integer(boost::multiprecision::denominator(x)));

    RC_ASSERT(p.multiply(p.reduce(value), denominator) == numerator);
}

RC_GTEST_PROP(Modulus, DotSumsWithoutOverflow, ()) {
    const Modulus p(draw_prime());
    const auto size = *rc::gen::inRange<std::size_t>(0, 40);
    std::vector<Residue> a(size, p.prime() - 1);
    std::vector<Residue> b(size, p.prime() - 1);
    Residue sum = 0;
    for (std::size_t i = 0; i < size; ++i) {
        if (*rc::gen::arbitrary<bool>()) {
            a[i] = draw_residue(p);
        }
        sum = p.add(sum, p.multiply(a[i], b[i]));
    }

    RC_ASSERT(p.dot(a.data(), b.data(), static_cast<Index>(size)) == sum);
}

TEST(PreviousPrime, FindsThePrimesBelowTheDefault) {
    EXPECT_EQ(previous_prime(kDefaultPrime + 1), kDefaultPrime);
    EXPECT_EQ(previous_prime(kDefaultPrime), kDefaultPrime - 30);  // 2⁶¹ − 31
    EXPECT_EQ(previous_prime(8), 7U);
    EXPECT_EQ(previous_prime(7), 5U);
    EXPECT_TRUE(is_prime(kLargestPrime));
    EXPECT_FALSE(is_prime(3215031751U));  // a strong pseudoprime to the bases 2, 3, 5, 7
}

TEST(Modulus, RefusesEvenCompositeAndOversizedNumbers) {
    EXPECT_REFUSED("Modulus: got 2", Modulus(2));
    EXPECT_REFUSED("Modulus: got 91", Modulus(91));
    EXPECT_REFUSED("Modulus: got 9223372036854775837", Modulus(9223372036854775837U));
    EXPECT_REFUSED("Modulus::inverse: zero has no inverse", Modulus(7).inverse(0));
    EXPECT_REFUSED("dyadic: got inf", Modulus(7).reduce(HUGE_VAL));
    EXPECT_REFUSED("previous_prime: there is no odd prime below the bound", previous_prime(3));
}

}  // namespace
}  // namespace attest

#include "core/stack/power_number.hpp"

#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>

namespace attest::test {
namespace {

PowerNumber number(std::int64_t value) {
    return PowerNumber(value);
}

TEST(PowerNumber, HasAPrimeInWhichTwoHasThePrimeOrderQ) {
    const std::uint32_t p = PowerNumber::kPrime;
    const std::uint32_t q = PowerNumber::kOrder;
    EXPECT_EQ(p, 2 * q + 1);
    EXPECT_EQ(p % 8, 7U);
    for (std::uint32_t k = 2; k * k <= p; ++k) {
        ASSERT_NE(p % k, 0U);
        ASSERT_NE(q % k, 0U);
    }
    EXPECT_EQ(PowerNumber::Image::power(PowerNumber::Image(2), q).value(), 1U);
}

TEST(PowerNumber, TakesSumsToProducts) {
    for (const std::int64_t a : {-7, 0, 1, 40, 100000}) {
        for (const std::int64_t b : {-1, 0, 3, 4194287}) {
            const PowerNumber of_sum = exponential(number(a) + number(b));
            const PowerNumber product = exponential(number(a)) * exponential(number(b));
            EXPECT_EQ(of_sum.image().value(), product.image().value()) << a << " + " << b;
            // And as exponents again: 2^(2^(a+b)) of both.
            EXPECT_EQ(exponential(of_sum).image().value(), exponential(product).image().value());
        }
    }
}

TEST(PowerNumber, GivesIntegersThatPowersOfTwoAre) {
    EXPECT_EQ(exponential(number(10)).image().value(), 1024U);
    EXPECT_EQ(exponential(exponential(number(3))).image().value(), 256U);
    EXPECT_EQ((exponential(number(-3)) * number(8)).image().value(), 1U);
}

TEST(PowerNumber, HasRootsOfTwo) {
    const PowerNumber third = number(1) / number(3);
    const PowerNumber root = exponential(third);
    EXPECT_EQ((root * root * root).image().value(), 2U);
    EXPECT_NE(root.image().value(), 2U);
}

TEST(PowerNumber, StopsAtTheThirdPower) {
    const PowerNumber algebraic = exponential(exponential(number(3)));
    EXPECT_EQ(error_message<NotAvailable>([&] { static_cast<void>(exponential(algebraic)); }),
              "PowerNumber: a third layer of softmax has no image that is proved; use floating "
              "point");
}

TEST(PowerNumber, RefusesADenominatorThatVanishesInAnyModulusAskedFor) {
    const PowerNumber zero_modulo_q(static_cast<std::int64_t>(PowerNumber::kOrder));
    EXPECT_NE(error_message<InvalidInput>([&] { static_cast<void>(number(1) / zero_modulo_q); }),
              "nothing was thrown");
    const PowerNumber algebraic = exponential(exponential(number(3)));
    EXPECT_EQ(error_message<InvalidInput>([&] { static_cast<void>(algebraic / zero_modulo_q); }),
              "nothing was thrown")
        << "of an algebraic number only the image modulo p is asked";
}

}  // namespace
}  // namespace attest::test

#include "core/base/parse_number.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

namespace {

using attest::parse_number;

TEST(ParseNumber, ReadsTheWholeTextOrNothing) {
    EXPECT_EQ(parse_number<std::int64_t>("-12"), -12);
    EXPECT_EQ(parse_number<double>("2.5e-3"), 2.5e-3);
    EXPECT_TRUE(std::isnan(*parse_number<double>("nan")));
    for (const char* text : {"", " 1", "1 ", "1.5", "0x10", "+1", "one", "9223372036854775808"}) {
        EXPECT_EQ(parse_number<std::int64_t>(text), std::nullopt) << text;
    }
    for (const char* text : {"", "1,5", "1e", "1e999"}) {
        EXPECT_EQ(parse_number<double>(text), std::nullopt) << text;
    }
}

TEST(ParseNumber, TakesNoSignForAnUnsignedNumber) {
    EXPECT_EQ(parse_number<std::uint64_t>("18446744073709551615"), UINT64_MAX);
    EXPECT_EQ(parse_number<std::uint64_t>("-1"), std::nullopt);
}

}  // namespace

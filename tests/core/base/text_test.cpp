#include "core/base/text.hpp"

#include "core/base/bitwise.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>

namespace attest {

TEST(InQuotes, LeavesPrintableTextAlone) {
    EXPECT_EQ(in_quotes("truth_V"), "'truth_V'");
    EXPECT_EQ(in_quotes(""), "''");
}

TEST(InQuotes, KeepsForeignBytesOnOneLine) {
    EXPECT_EQ(in_quotes(std::string_view("a\n\x1b[2J\0\xff", 8)), "'a\\x0a\\x1b[2J\\x00\\xff'");
}

TEST(InQuotes, CutsLongText) {
    EXPECT_EQ(in_quotes(std::string(60, 'x')), "'" + std::string(60, 'x') + "'");
    EXPECT_EQ(in_quotes(std::string(61, 'x')), "'" + std::string(60, 'x') + "…'");
}

namespace {

TEST(Plural, IsForEveryNumberButOne) {
    EXPECT_EQ(plural(0, "head"), "0 heads");
    EXPECT_EQ(plural(1, "head"), "1 head");
    EXPECT_EQ(plural(2, "null vector"), "2 null vectors");
}

}  // namespace

namespace {

TEST(EditDistance, CountsInsertionsDeletionsAndReplacements) {
    EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
    EXPECT_EQ(edit_distance("", "abc"), 3U);
    EXPECT_EQ(edit_distance("abc", ""), 3U);
    EXPECT_EQ(edit_distance("abc", "abc"), 0U);
}

RC_GTEST_PROP(EditDistance, IsSymmetric, (const std::string& a, const std::string& b)) {
    RC_ASSERT(edit_distance(a, b) == edit_distance(b, a));
}

RC_GTEST_PROP(EditDistance, OfADroppedCharacterIsOne, (const std::string& a)) {
    RC_PRE(!a.empty());
    const auto at = *rc::gen::inRange<std::size_t>(0, a.size());
    std::string shorter = a;
    shorter.erase(at, 1);

    RC_ASSERT(edit_distance(a, shorter) == 1U);
}

TEST(NearestName, PrefersTheLongestCommonStartThenTheFirstOfEquals) {
    EXPECT_EQ(nearest_name("soft", {"none", "softmax"}), "softmax");
    EXPECT_EQ(nearest_name("gausian", {"uniform", "gaussian", "laplace"}), "gaussian");
    EXPECT_EQ(nearest_name("x", {"a", "b"}), "a");
}

TEST(NearestName, NeedsAName) {
    EXPECT_REFUSED("nearest_name: no name is known", nearest_name("x", {}));
}

TEST(UnknownNameMessage, ListsTheNamesAndTheNearest) {
    EXPECT_EQ(unknown_name_message("task", "ab", {"abc", "xyz"}),
              "task: got 'ab', expected one of abc, xyz; nearest: abc");
}

}  // namespace
}  // namespace attest

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

namespace attest {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(RoundTrip, PrintsTheShortestDecimal) {
    EXPECT_EQ(round_trip(0.1), "0.1");
    EXPECT_EQ(round_trip(0.1 + 0.2), "0.30000000000000004");
    EXPECT_EQ(round_trip(3.0), "3");
    EXPECT_EQ(round_trip(-0.0), "-0");
    EXPECT_EQ(round_trip(1e300), "1e+300");
    EXPECT_EQ(round_trip(std::numeric_limits<double>::denorm_min()), "5e-324");
}

TEST(RoundTrip, NamesTheValuesThatAreNoNumbers) {
    EXPECT_EQ(round_trip(kNan), "nan");
    EXPECT_EQ(round_trip(-kNan), "nan");
    EXPECT_EQ(round_trip(kInfinity), "inf");
    EXPECT_EQ(round_trip(-kInfinity), "-inf");
}

RC_GTEST_PROP(RoundTrip, ReadsBackAsTheSameDouble, (std::uint64_t bits)) {
    const auto value = std::bit_cast<double>(bits);
    RC_PRE(!std::isnan(value));

    RC_ASSERT(bitwise_equal(std::strtod(round_trip(value).c_str(), nullptr), value));
}

RC_GTEST_PROP(RoundTrip, NoDecimalOfFewerDigitsReadsBack, (std::uint64_t bits)) {
    const auto value = std::bit_cast<double>(bits);
    RC_PRE(std::isfinite(value) && !is_zero(value));
    const std::string text = round_trip(value);
    const std::string mantissa = text.substr(0, text.find('e'));
    int digits = 0;
    bool leading = true;
    for (const char letter : mantissa) {
        leading = leading && (letter < '1' || letter > '9');
        digits += !leading && letter >= '0' && letter <= '9' ? 1 : 0;
    }
    RC_PRE(digits > 1 && mantissa.back() != '0');

    std::array<char, 64> shorter{};
    std::snprintf(shorter.data(), shorter.size(), "%.*e", digits - 2, value);

    RC_ASSERT(!bitwise_equal(std::strtod(shorter.data(), nullptr), value));
}

TEST(FormatBytes, ChoosesTheUnit) {
    EXPECT_EQ(format_bytes(0.0), "0 B");
    EXPECT_EQ(format_bytes(512.0), "512 B");
    EXPECT_EQ(format_bytes(1024.0), "1.0 KiB");
    EXPECT_EQ(format_bytes(3.2 * 1024.0 * 1024.0 * 1024.0), "3.2 GiB");
    EXPECT_EQ(format_bytes(std::ldexp(5.0, 60)), "5120.0 PiB");
}

TEST(FormatBytes, NeverPrintsAFull1024) {
    EXPECT_EQ(format_bytes(1023.0), "1023 B");
    EXPECT_EQ(format_bytes(1023.6), "1.0 KiB");
    EXPECT_EQ(format_bytes(1048575.0), "1.0 MiB");
}

TEST(FormatSeconds, ChoosesTheUnit) {
    EXPECT_EQ(format_seconds(0.0), "0 ms");
    EXPECT_EQ(format_seconds(0.085), "85 ms");
    EXPECT_EQ(format_seconds(3.2), "3.2 s");
    EXPECT_EQ(format_seconds(250.0), "4 min 10 s");
    EXPECT_EQ(format_seconds(7500.0), "2 h 5 min");
    EXPECT_EQ(format_seconds(360000.0), "100 h 0 min");
}

TEST(FormatSeconds, CarriesIntoTheNextUnit) {
    EXPECT_EQ(format_seconds(0.9996), "1.0 s");
    EXPECT_EQ(format_seconds(59.96), "1 min 0 s");
    EXPECT_EQ(format_seconds(119.7), "2 min 0 s");
    EXPECT_EQ(format_seconds(3599.6), "1 h 0 min");
    EXPECT_EQ(format_seconds(7199.0), "2 h 0 min");
}

TEST(Concat, PrintsThePartsInOrder) {
    EXPECT_EQ(formatted("Z is {}x{}, expected {}", Index{4}, 0, std::string("more")),
              "Z is 4x0, expected more");
}

}  // namespace
}  // namespace attest

#include "tasks/parameters.hpp"

#include "core/base/bitwise.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace attest {
namespace {

using test::invalid_input_message;

enum class Colour { red, green };
constexpr Choices<Colour, 2> kColours{{{Colour::red, "red"}, {Colour::green, "green"}}};

ParameterReader reader(std::map<std::string, std::string> given) {
    return {
        "demo",
        {{"d", "4", "size"}, {"x", "0.5", "number"}, {"n", "16", "length"}, {"colour", "red", ""}},
        std::move(given)};
}

template <class Action>
std::string unknown_name(const Action& action) {
    try {
        action();
    } catch (const UnknownName& error) {
        return error.what();
    }
    return "nothing was thrown";
}

TEST(ParameterReader, GivesDefaultsForWhatIsMissing) {
    const ParameterReader r = reader({{"d", "7"}});

    EXPECT_EQ(r.integer("d", 1, 10), 7);
    EXPECT_TRUE(bitwise_equal(r.real("x", 0.0, 1.0), 0.5));
    EXPECT_EQ(r.lengths("n").shortest, 16);
    EXPECT_EQ(r.lengths("n").longest, 16);
    EXPECT_EQ(r.choice("colour", kColours), Colour::red);
}

TEST(ParameterReader, ReadsRanges) {
    const LengthRange range = reader({{"n", "4..32"}}).lengths("n");

    EXPECT_EQ(range.shortest, 4);
    EXPECT_EQ(range.longest, 32);
    EXPECT_EQ(to_string(range), "4..32");
    EXPECT_EQ(to_string(LengthRange{5, 5}), "5");
}

TEST(ParameterReader, RefusesUnknownNamesAndNamesTheNearest) {
    EXPECT_EQ(unknown_name([] {
                  return reader({{"dd", "1"}});
              }),
              "parameter of demo: got 'dd', expected one of d, x, n, colour; nearest: d");
    EXPECT_EQ(unknown_name([] {
                  return reader({{"colour", "grean"}}).choice("colour", kColours);
              }),
              "task demo: colour: got 'grean', expected one of red, green; nearest: green");
}

TEST(ParameterReader, RefusesIntegersThatDoNotParseOrAreOutOfRange) {
    for (const char* text :
         {"", "x", "1.5", "7 ", " 7", "+7", "0x7", "99999999999999999999", "11", "0"}) {
        EXPECT_EQ(
            invalid_input_message([&] {
                return reader({{"d", text}}).integer("d", 1, 10);
            }),
            "task demo: d: got '" + std::string(text) + "', expected an integer from 1 to 10");
    }
}

TEST(ParameterReader, RefusesNumbersThatDoNotParseOrAreOutOfRange) {
    for (const char* text : {"", "half", "0.5x", "nan", "inf", "-inf", "1e999", "-0.1", "1.5"}) {
        EXPECT_EQ(invalid_input_message([&] {
                      return reader({{"x", text}}).real("x", 0.0, 1.0);
                  }),
                  "task demo: x: got '" + std::string(text) + "', expected a number from 0 to 1");
    }
}

TEST(ParameterReader, RefusesLengthsThatAreNone) {
    for (const char* text : {"", "0", "5..4", "1..", "..3", "1...3", "-1", "1..2..3", "99999999"}) {
        EXPECT_EQ(
            invalid_input_message([&] {
                return reader({{"n", text}}).lengths("n");
            }),
            "task demo: n: got '" + std::string(text) + "', expected a length such as 16 or 4..32");
    }
}

TEST(ParameterReader, AnUnlistedNameIsAMistakeOfOurs) {
    EXPECT_THROW((void)reader({}).text("y"), BrokenInvariant);
}

TEST(Choices, NamesAndValuesCorrespond) {
    EXPECT_EQ(name_of(kColours, Colour::green), "green");
    EXPECT_EQ(choice_named("c", "green", kColours), Colour::green);
    EXPECT_THROW((void)name_of(kColours, static_cast<Colour>(9)), BrokenInvariant);
}

RC_GTEST_PROP(ParameterReader, ReadsBackEveryInteger, (Index value)) {
    const ParameterReader r = reader({{"d", std::to_string(value)}});

    RC_ASSERT(r.integer("d", value, value) == value);
}

}  // namespace
}  // namespace attest

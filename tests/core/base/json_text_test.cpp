#include "core/base/json_text.hpp"

#include "core/base/bitwise.hpp"
#include "core/base/error.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

namespace {

using attest::json_text;
using Json = nlohmann::ordered_json;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(JsonText, KeepsTheOrderOfKeysAndTheKindOfNumbers) {
    Json object;
    object["z"] = 1.0;
    object["a"] = 1;
    object["list"] = {true, nullptr, "text", 0.1, -0.0};

    EXPECT_EQ(json_text(object), R"({"z":1.0,"a":1,"list":[true,null,"text",0.1,-0.0]})");
}

TEST(JsonText, EscapesWhatJsonForbidsAndStaysOnOneLine) {
    EXPECT_EQ(json_text("a\"b\\c\nd\x01 λ"), "\"a\\\"b\\\\c\\nd\\u0001 λ\"");
}

TEST(JsonText, ReplacesBytesThatAreNotUtf8) {
    EXPECT_EQ(json_text("a\xff"), "\"a\xEF\xBF\xBD\"");
}

TEST(JsonText, EmptyObjectAndArray) {
    EXPECT_EQ(json_text(Json::object()), "{}");
    EXPECT_EQ(json_text(Json::array()), "[]");
}

TEST(JsonText, RejectsNanAndInfinityWhereANumberIsMeant) {
    const std::string message = attest::test::error_message<attest::BrokenInvariant>([] {
        (void)json_text(Json{{"x", std::nan("")}});
    });

    EXPECT_EQ(message.find("json_text: got nan, expected a number"), 0U) << message;
    EXPECT_THROW((void)json_text(Json(kInfinity)), attest::BrokenInvariant);
}

TEST(JsonText, DoubleThatNlohmannPrintsTooLongIsShortest) {
    // Two doubles for which Grisu2 needs a digit more than necessary; the reference is strtod.
    EXPECT_EQ(json_text(Json(5e-324)), "5e-324");
    EXPECT_EQ(json_text(Json(9007199254740993.0)), "9007199254740992.0");
    EXPECT_EQ(json_text(Json(1e300)), "1e+300");
}

RC_GTEST_PROP(JsonText, EveryFiniteDoubleReadsBackAsTheSameBits, ()) {
    const auto value = std::bit_cast<double>(*rc::gen::arbitrary<std::uint64_t>());
    RC_PRE(std::isfinite(value));

    const Json back = attest::parse_json(json_text(Json(value)), "test");

    RC_ASSERT(back.is_number_float());
    RC_ASSERT(attest::bitwise_equal(back.get<double>(), value));
}

RC_GTEST_PROP(JsonText, EveryTextReadsBack, (const std::string& ascii)) {
    std::string text;
    for (const char letter : ascii) {
        text += static_cast<char>(static_cast<unsigned char>(letter) & 0x7FU);
    }

    RC_ASSERT(attest::parse_json(json_text(Json(text)), "test").get<std::string>() == text);
}

TEST(ParseJson, RejectsWhatIsNotOneValue) {
    for (const char* text : {"", "{", "{} {}", "nan", "{\"a\":1,}", "'a'", "1e999", "\xff"}) {
        const std::string message = attest::test::error_message<attest::InvalidInput>(
            [&] { (void)attest::parse_json(text, "row"); });
        EXPECT_EQ(message.find("row: not valid JSON (exception "), 0U) << text << ": " << message;
    }
}

TEST(JsonNumber, SpellsWhatIsNoNumberAndReadsItBack) {
    EXPECT_EQ(json_text(attest::number_or_word(0.5)), "0.5");
    EXPECT_EQ(json_text(attest::number_or_word(std::nan(""))), "\"nan\"");
    EXPECT_EQ(json_text(attest::number_or_word(-kInfinity)), "\"-inf\"");
    for (const double value : {0.5, -0.0, kInfinity, -kInfinity}) {
        EXPECT_TRUE(attest::bitwise_equal(
            attest::number_from_json(attest::number_or_word(value), "test"), value));
    }
    EXPECT_TRUE(std::isnan(attest::number_from_json("nan", "test")));
}

TEST(JsonNumber, RejectsOtherTextNullAndArrays) {
    EXPECT_REFUSED("x: got \"NaN\"", attest::number_from_json("NaN", "x"));
    EXPECT_REFUSED("x: got null", attest::number_from_json(nullptr, "x"));
    EXPECT_REFUSED("x: got an array", attest::number_from_json(Json::array({1, 2}), "x"));
}

TEST(Member, NamesWhatIsMissingOrOfTheWrongType) {
    const Json object{{"seed", -1}, {"task", 3}, {"long", std::string(200, 'a')}};
    const auto message = [](const auto& action) {
        return attest::test::error_message<attest::InvalidInput>(action);
    };

    EXPECT_EQ(message([&] { (void)attest::member(object, "id", "row"); }), "row: got no \"id\"");
    EXPECT_EQ(message([&] { (void)attest::member(Json(1), "id", "row"); }),
              "row: got 1, expected an object");
    EXPECT_EQ(message([&] { (void)attest::text_member(object, "task", "row"); }),
              "row: got 3 for \"task\", expected text");
    EXPECT_EQ(message([&] { (void)attest::whole_member(object, "seed", "row"); }),
              "row: got -1 for \"seed\", expected a whole number");
    EXPECT_SAYS(message([&] { (void)attest::whole_member(object, "long", "row"); }),
                "row: got a long string for \"long\"");
}

TEST(Member, WholeNumbersReachTheLastSeed) {
    const Json object = attest::parse_json("{\"seed\":18446744073709551615}", "test");

    EXPECT_EQ(attest::whole_member(object, "seed", "row"),
              std::numeric_limits<std::uint64_t>::max());
}

}  // namespace

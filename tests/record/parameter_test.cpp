#include "record/parameter.hpp"

#include "core/base/error.hpp"
#include "core/base/json_text.hpp"
#include "tests/record/fixture.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck/gtest.h>

#include <cmath>

namespace attest::record_test {

namespace {

TEST(Profile, RoundTripsAndRejectsOtherNames) {
    EXPECT_EQ(to_string(profile_from_string("quick")), "quick");
    EXPECT_EQ(to_string(profile_from_string("full")), "full");
    EXPECT_FAILS(UnknownName, "profile: got 'fast'", profile_from_string("fast"));
}

const ParameterMap kSample{
    {"d", std::int64_t{4}}, {"mixture", 0.5}, {"teacher", "paper"}, {"zeta", true}};

TEST(Parameters, ReadWellForPeople) {
    EXPECT_EQ(to_string(kSample), "d=4, mixture=0.5, teacher=paper, zeta=true");
    EXPECT_EQ(to_string(ParameterMap{}), "");
}

TEST(Parameters, RoundTripThroughJsonWithTheirTypes) {
    const std::string text = json_text(to_json_object(kSample));

    EXPECT_EQ(text, R"({"d":4,"mixture":0.5,"teacher":"paper","zeta":true})");
    EXPECT_EQ(parameters_from_json(parse_json(text, "test"), "test"), kSample);
}

TEST(Parameters, WholeNumberAndDoubleOfTheSameValueStayDifferent) {
    const ParameterMap whole{{"d", std::int64_t{1}}};
    const ParameterMap real{{"d", 1.0}};

    EXPECT_NE(json_text(to_json_object(whole)), json_text(to_json_object(real)));
    EXPECT_EQ(parameters_from_json(to_json_object(real), "test"), real);
}

RC_GTEST_PROP(Parameters, IntegersRoundTrip, (std::int64_t value)) {
    const ParameterMap parameters{{"x", value}};
    const std::string text = json_text(to_json_object(parameters));

    RC_ASSERT(parameters_from_json(parse_json(text, "t"), "t") == parameters);
}

TEST(Parameters, RejectADoubleThatIsNotFinite) {
    const auto message = test::error_message<InvalidInput>([] {
        (void)to_json_object(ParameterMap{{"ridge", std::nan("")}});
    });

    EXPECT_EQ(message, "parameter ridge: got nan, expected a finite number");
}

TEST(Parameters, RejectJsonThatIsNoParameter) {
    const auto message = [](const char* text) {
        return test::error_message<InvalidInput>(
            [&] { (void)parameters_from_json(parse_json(text, "row"), "row"); });
    };

    EXPECT_EQ(message("[1]"), "row: got an array, expected an object");
    EXPECT_EQ(message(R"({"d":[1]})"), "row: got an array for parameter \"d\"");
    EXPECT_EQ(message(R"({"d":null})"), "row: got null for parameter \"d\"");
    EXPECT_EQ(message(R"({"d":9223372036854775808})"),
              "row: got 9223372036854775808 for parameter \"d\"");
}

}  // namespace

}  // namespace attest::record_test

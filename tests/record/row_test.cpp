#include "record/row.hpp"

#include "core/base/bitwise.hpp"
#include "core/base/error.hpp"
#include "core/base/json_text.hpp"
#include "tests/record/fixture.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

namespace attest::record_test {

namespace {

using Json = nlohmann::ordered_json;

std::string line_of(const Row& row) {
    return json_text(to_json_object(row));
}

TEST(Row, IsOneLineWithItsKeysInAFixedOrder) {
    EXPECT_EQ(line_of(sample_row(2)),
              R"({"schema":1,"kind":"row","id":"demo","task":"associative_memory",)"
              R"("parameters":{"d":4,"mixture":0.5},"learner":"ridge",)"
              R"("learner_parameters":{"penalty":0.1},"seed":1,"stream":"1/demo",)"
              R"("repetition":2,"precision":"double","status":"ok","message":"",)"
              R"("metrics":{"distance":{"value":0.1,"bound":1e-12,"exact":"1/10"},)"
              R"("time":{"value":2.0,"unit":"s"}},"seconds":0.25,)"
              R"("blas":"lapacke, Cooperlake, 1 thread"})");
}

TEST(Row, DocumentationShowsItsLineAndNamesEveryKey) {
    const std::string documentation = test::file_content(ATTEST_DOCS "/json.md");

    EXPECT_SAYS(documentation, "\n" + line_of(sample_row(2)) + "\n");
    const Json object = to_json_object(sample_row(2));
    for (const auto& [key, value] : object.items()) {
        EXPECT_SAYS(documentation, "`" + key + "`") << key;
    }
}

TEST(Row, RoundTripsThroughItsLine) {
    const std::string line = line_of(sample_row(3));

    const Row back = row_from_json(parse_json(line, "test"));

    EXPECT_EQ(line_of(back), line);
    EXPECT_EQ(back.key.repetition, 3);
    EXPECT_EQ(back.metrics.at("distance").exact, "1/10");
    EXPECT_EQ(back.metrics.at("time").unit, "s");
    EXPECT_FALSE(back.metrics.at("time").bound.has_value());
}

TEST(Row, KeepsEvidenceThatIsNoNumber) {
    Row row = sample_row(0);
    row.evidence = R"({"outcome":"holds","findings":["1 = 1"]})";

    EXPECT_EQ(row_from_json(parse_json(line_of(row), "test")).evidence, row.evidence);
    row.evidence = "[]";
    EXPECT_REFUSED("row: evidence: expected an object",
                   row_from_json(parse_json(line_of(row), "test")));
}

RC_GTEST_PROP(Row, MetricsOfAnyBitsRoundTrip, ()) {
    Row row = sample_row(0);
    const auto value = std::bit_cast<double>(*rc::gen::arbitrary<std::uint64_t>());
    row.metrics["distance"].value = value;
    row.key.seed = *rc::gen::arbitrary<std::uint64_t>();

    const Row back = row_from_json(parse_json(line_of(row), "test"));

    const double read = back.metrics.at("distance").value;
    RC_ASSERT(bitwise_equal(read, value) || (std::isnan(read) && std::isnan(value)));
    RC_ASSERT(back.key.seed == row.key.seed);
}

TEST(Row, SpellsNanAndInfinityOut) {
    Row row = sample_row(0);
    row.metrics = {{"a", {std::nan("")}}, {"b", {std::numeric_limits<double>::infinity()}}};

    const std::string line = line_of(row);

    EXPECT_SAYS(line, R"("a":{"value":"nan"},"b":{"value":"inf"})");
}

TEST(Row, EveryStatusRoundTrips) {
    for (const char* name : {"ok", "failed", "refused", "interrupted", "skipped"}) {
        EXPECT_EQ(to_string(row_status_from_string(name)), name);
    }
    EXPECT_EQ(to_string(RowStatus::interrupted), "interrupted");
    EXPECT_REFUSED("row: got status \"done\"", row_status_from_string("done"));
}

TEST(Row, EveryMissingKeyIsNamed) {
    const Json whole = to_json_object(sample_row(0));
    for (const auto& [key, value] : whole.items()) {
        Json part = whole;
        part.erase(key);

        EXPECT_EQ(test::error_message<InvalidInput>([&] { (void)row_from_json(part); }),
                  "row: got no \"" + key + "\"");
    }
}

TEST(Row, EveryKeyOfAWrongTypeIsRejected) {
    const Json whole = to_json_object(sample_row(0));
    for (const auto& [key, value] : whole.items()) {
        Json wrong = whole;
        wrong[key] = Json::array();

        const std::string message =
            test::error_message<InvalidInput>([&] { (void)row_from_json(wrong); });
        EXPECT_EQ(message.find("row: "), 0U) << key << ": " << message;
    }
}

TEST(Row, OtherSchemaAndOtherKindAreRejected) {
    Json object = to_json_object(sample_row(0));
    object["schema"] = 2;
    EXPECT_REFUSED("row: got schema 2", row_from_json(object));

    object["schema"] = 1;
    object["kind"] = "finding";
    EXPECT_REFUSED("row: got kind \"finding\"", row_from_json(object));
}

TEST(Row, MetricWithoutValueIsRejected) {
    Json object = to_json_object(sample_row(0));
    object["metrics"]["distance"].erase("value");

    EXPECT_REFUSED("row: metric distance: got no \"value\"", row_from_json(object));
}

TEST(CaseKey, IdentityChangesWithEveryMember) {
    const CaseKey key = sample_row(0).key;
    std::vector<CaseKey> others(9, key);
    others[0].task = "other";
    others[1].parameters["d"] = std::int64_t{5};
    others[2].learner = "other";
    others[3].learner_parameters["penalty"] = 0.2;
    others[4].seed = 2;
    others[5].stream = "other";
    others[6].repetition = 1;
    others[7].precision = "float";
    others[8].parameters["d"] = 4.0;

    EXPECT_EQ(identity(key), identity(sample_row(0).key));
    for (const CaseKey& other : others) {
        EXPECT_NE(identity(other), identity(key)) << identity(other);
    }
}

TEST(Metric, ThatMayAsWellBeZeroBoundsItself) {
    EXPECT_EQ(zero_up_to(1e-20, 3e-30).bound, 3e-30);
    EXPECT_EQ(zero_up_to(1e-20, 1e-20).bound, std::nullopt);
    EXPECT_EQ(zero_up_to(0.0, 0.0).bound, std::nullopt);
    EXPECT_TRUE(bitwise_equal(zero_up_to(1e-20, 0.5).value, 0.5));
}

TEST(CaseKey, DescribesItselfForPeople) {
    EXPECT_EQ(describe(sample_row(2).key),
              "associative_memory (d=4, mixture=0.5), ridge (penalty=0.1), seed 1, repetition 2");
    EXPECT_EQ(describe({.task = "rank", .seed = 3}), "rank, seed 3, repetition 0");
}

}  // namespace

}  // namespace attest::record_test

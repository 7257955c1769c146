#include "report/comparison.hpp"

#include "report/claim_rows.hpp"
#include "tests/report/sample_results.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <regex>

namespace attest::test {
namespace {

using record_test::sample_header;
using record_test::sample_row;

/// Two folders of one experiment each, compared.
Comparison compared(const std::vector<Row>& before,
                    const std::vector<Row>& after,
                    const ResultHeader& header_before = sample_header(),
                    const ResultHeader& header_after = sample_header()) {
    const TemporaryFolder first;
    const TemporaryFolder second;
    (void)write_demo(first.path(), before, header_before);
    (void)write_demo(second.path(), after, header_after);
    return compare_results(read_results(first.path()), read_results(second.path()), 0.01);
}

Row claim(const std::string& id, const std::string& outcome) {
    Row row;
    row.id = std::string(kClaimsId);
    row.key.task = id;
    row.evidence = R"({"paper":"p","place":"Lemma 1","method":"exact","outcome":")" + outcome +
                   R"(","outcome_documented":"holds","reason":"","printed":"x","tested":"x",)"
                   R"("deviation":"","depends_on":"","explain":"","findings":[]})";
    return row;
}

Row learned_by_svd() {
    Row row = sample_row(0);
    row.key.learner = "svd";
    return row;
}

TEST(CompareResults, OfTheSameRowsIsTheSame) {
    const Comparison comparison = compared(repetitions({0.5, 0.25}), repetitions({0.5, 0.25}));

    EXPECT_TRUE(comparison.same());
    EXPECT_EQ(comparison.metrics_compared, 1U);  // time is a cost
    EXPECT_TRUE(comparison.environment.empty());
    ASSERT_EQ(comparison.timings.size(), 1U);
    EXPECT_EQ(comparison.timings[0].cases, 2U);
    EXPECT_DOUBLE_EQ(comparison.timings[0].ratio.value_or(0.0), 1.0);
}

TEST(CompareResults, TheStepsOfASearchAreACost) {
    const auto with_steps = [](double steps) {
        std::vector<Row> rows = repetitions({0.5});
        rows[0].metrics["steps"] = {steps, {}, "steps"};
        return rows;
    };

    EXPECT_TRUE(compared(with_steps(14.0), with_steps(8.0)).same());
}

TEST(CompareResults, FindsAMetricThatMoved) {
    const Comparison comparison = compared(repetitions({0.5}), repetitions({0.75}));

    ASSERT_EQ(comparison.metrics.size(), 1U);
    EXPECT_EQ(comparison.metrics[0].file, "quick/demo");
    EXPECT_EQ(comparison.metrics[0].subject,
              "distance of associative_memory (d=4, mixture=0.5), ridge (penalty=0.1)");
    EXPECT_EQ(comparison.metrics[0].before, "0.5");
    EXPECT_EQ(comparison.metrics[0].after, "0.75");
    EXPECT_FALSE(comparison.same());
}

TEST(CompareResults, FindsCasesThatAreAbsentOrEndedOtherwise) {
    const std::vector<Row> before{sample_row(0), learned_by_svd()};
    Row failed = sample_row(0);
    failed.status = RowStatus::failed;
    failed.message = "no";

    const Comparison comparison = compared(before, {failed});

    ASSERT_EQ(comparison.cases.size(), 2U);
    EXPECT_EQ(comparison.cases[0].before + " " + comparison.cases[0].after, "ok failed");
    EXPECT_EQ(comparison.cases[1].before + " " + comparison.cases[1].after, "ok absent");
}

TEST(CompareResults, FindsCasesOfTheSecondSetOnly) {
    const Comparison comparison = compared({sample_row(0)}, {sample_row(0), learned_by_svd()});

    ASSERT_EQ(comparison.cases.size(), 1U);
    EXPECT_EQ(comparison.cases[0].file, "quick/demo");
    EXPECT_SAYS(comparison.cases[0].subject, "svd");
    EXPECT_EQ(comparison.cases[0].before + " " + comparison.cases[0].after, "absent ok");
    EXPECT_FALSE(comparison.same());
}

TEST(CompareResults, FindsClaimsWithAnotherVerdict) {
    ResultHeader header = sample_header();
    header.configuration.id = std::string(kClaimsId);

    const Comparison comparison =
        compared({claim("a", "holds"), claim("b", "holds"), claim("c", "holds")},
                 {claim("a", "holds"), claim("b", "vacuous"), claim("d", "holds")},
                 header,
                 header);

    EXPECT_EQ(comparison.claims_compared, 4U);
    ASSERT_EQ(comparison.claims.size(), 3U);
    EXPECT_EQ(comparison.claims[0].subject + comparison.claims[0].after, "bvacuous");
    EXPECT_EQ(comparison.claims[1].subject + comparison.claims[1].after, "cabsent");
    EXPECT_EQ(comparison.claims[2].subject + comparison.claims[2].before, "dabsent");
}

TEST(CompareResults, SetsTimesAsideWhereTheEnvironmentDiffers) {
    ResultHeader header = sample_header();
    header.provenance.cpu = "another";

    const Comparison comparison =
        compared({sample_row(0)}, {sample_row(0)}, sample_header(), header);

    EXPECT_TRUE(comparison.same()) << "another machine is no other result";
    EXPECT_FALSE(comparison.timings.at(0).ratio.has_value());
    ASSERT_EQ(comparison.environment.size(), 1U);
    EXPECT_EQ(comparison.environment[0].subject, "processor");
    EXPECT_EQ(comparison.environment[0].after, "another");
}

TEST(CompareResults, DividesTheTimesAfterwardsByThoseBefore) {
    const std::vector<Row> before = repetitions({0.5, 0.25});
    std::vector<Row> after = before;
    after[0].seconds = 1.0;  // 0.25 before, like the other

    EXPECT_DOUBLE_EQ(compared(before, after).timings.at(0).ratio.value_or(0.0), 2.5);
}

TEST(CompareResults, FilesOnOneSideOnlyAreADifference) {
    ResultHeader header = sample_header();
    header.configuration.id = "other";

    EXPECT_EQ(compared({sample_row(0)}, {sample_row(0)}, sample_header(), header).cases.size(), 2U);
}

TEST(ComparisonTexts, SayTheVerdictAndEveryChange) {
    const Comparison comparison = compared(repetitions({0.5}), repetitions({0.75}));

    EXPECT_EQ(comparison_text(comparison).rfind("Different: 0 of 0 claims, 0 cases, 1 of 1", 0),
              0U);
    EXPECT_SAYS(comparison_markdown(comparison), "### Metrics that moved\n\n| file ");
    const nlohmann::ordered_json object = comparison_json(comparison);
    EXPECT_FALSE(object.at("same").get<bool>());
    EXPECT_EQ(object.at("metrics").at(0).at("before"), "0.5");
    EXPECT_EQ(object.at("metrics").at(0).at("after"), "0.75");
    EXPECT_TRUE(
        std::regex_search(comparison_markdown(comparison), std::regex(R"(\| 0\.5 +\| 0\.75 +\|)")))
        << comparison_markdown(comparison);
    EXPECT_EQ(object.at("metrics").at(0).at("why"), "changed by 33.3 %");
}

TEST(ComparisonTexts, OfVeryManyChangesStopInMarkdownOnly) {
    Comparison comparison;
    comparison.metrics.resize(60, {"f", "m", "0", "1", "changed"});

    EXPECT_SAYS(comparison_markdown(comparison), "\nand 10 more.\n");
    EXPECT_EQ(comparison_text(comparison).find("more."), std::string::npos);
}

}  // namespace
}  // namespace attest::test

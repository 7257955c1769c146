#include "report/comparison.hpp"

#include "report/claim_rows.hpp"
#include "tests/report/sample_results.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <regex>

namespace attest {
namespace {

using record_test::sample_header;
using record_test::sample_row;
using test::repetitions;
using test::TemporaryFolder;
using test::write_demo;

/// Two folders of one experiment each.
struct Pair {
    TemporaryFolder before;
    TemporaryFolder after;

    [[nodiscard]] Comparison compare() const {
        return compare_results(read_results(before.path()), read_results(after.path()), 0.01);
    }
};

Row claim(const std::string& id, const std::string& outcome) {
    Row row;
    row.id = std::string(kClaimsId);
    row.key.task = id;
    row.evidence = R"({"paper":"p","place":"Lemma 1","method":"exact","outcome":")" + outcome +
                   R"(","outcome_documented":"holds","reason":"","printed":"x","tested":"x",)"
                   R"("deviation":"","depends_on":"","explain":"","findings":[]})";
    return row;
}

TEST(CompareResults, OfTheSameRowsIsTheSame) {
    const Pair pair;
    (void)write_demo(pair.before.path(), repetitions({0.5, 0.25}));
    (void)write_demo(pair.after.path(), repetitions({0.5, 0.25}));

    const Comparison comparison = pair.compare();

    EXPECT_TRUE(comparison.same());
    EXPECT_EQ(comparison.metrics_compared, 1U);  // time is a cost
    EXPECT_TRUE(comparison.environment.empty());
    ASSERT_EQ(comparison.timings.size(), 1U);
    EXPECT_EQ(comparison.timings[0].cases, 2U);
    EXPECT_DOUBLE_EQ(comparison.timings[0].ratio.value_or(0.0), 1.0);
}

TEST(CompareResults, TheStepsOfASearchAreACost) {
    const Pair pair;
    const auto with_steps = [](double steps) {
        std::vector<Row> rows = repetitions({0.5});
        rows[0].metrics["steps"] = {steps, {}, "steps"};
        return rows;
    };
    (void)write_demo(pair.before.path(), with_steps(14.0));
    (void)write_demo(pair.after.path(), with_steps(8.0));

    EXPECT_TRUE(pair.compare().same());
}

TEST(CompareResults, FindsAMetricThatMoved) {
    const Pair pair;
    (void)write_demo(pair.before.path(), repetitions({0.5}));
    (void)write_demo(pair.after.path(), repetitions({0.75}));

    const Comparison comparison = pair.compare();

    ASSERT_EQ(comparison.metrics.size(), 1U);
    EXPECT_EQ(comparison.metrics[0].file, "quick/demo");
    EXPECT_EQ(comparison.metrics[0].subject,
              "distance of associative_memory (d=4, mixture=0.5), ridge (penalty=0.1)");
    EXPECT_EQ(comparison.metrics[0].before, "0.5");
    EXPECT_EQ(comparison.metrics[0].after, "0.75");
    EXPECT_FALSE(comparison.same());
}

TEST(CompareResults, FindsCasesThatAreAbsentOrEndedOtherwise) {
    const Pair pair;
    std::vector<Row> rows{sample_row(0), sample_row(0)};
    rows[1].key.learner = "svd";
    (void)write_demo(pair.before.path(), rows);
    rows.pop_back();
    rows[0].status = RowStatus::failed;
    rows[0].message = "no";
    (void)write_demo(pair.after.path(), rows);

    const Comparison comparison = pair.compare();

    ASSERT_EQ(comparison.cases.size(), 2U);
    EXPECT_EQ(comparison.cases[0].before + " " + comparison.cases[0].after, "ok failed");
    EXPECT_EQ(comparison.cases[1].before + " " + comparison.cases[1].after, "ok absent");
}

TEST(CompareResults, FindsCasesOfTheSecondSetOnly) {
    const Pair pair;
    std::vector<Row> rows{sample_row(0)};
    (void)write_demo(pair.before.path(), rows);
    rows.push_back(sample_row(0));
    rows[1].key.learner = "svd";
    (void)write_demo(pair.after.path(), rows);

    const Comparison comparison = pair.compare();

    ASSERT_EQ(comparison.cases.size(), 1U);
    EXPECT_EQ(comparison.cases[0].file, "quick/demo");
    EXPECT_NE(comparison.cases[0].subject.find("svd"), std::string::npos);
    EXPECT_EQ(comparison.cases[0].before + " " + comparison.cases[0].after, "absent ok");
    EXPECT_FALSE(comparison.same());
}

TEST(CompareResults, FindsClaimsWithAnotherVerdict) {
    const Pair pair;
    ResultHeader header = sample_header();
    header.configuration.id = std::string(kClaimsId);
    (void)write_demo(pair.before.path(),
                     {claim("a", "holds"), claim("b", "holds"), claim("c", "holds")},
                     header);
    (void)write_demo(pair.after.path(),
                     {claim("a", "holds"), claim("b", "vacuous"), claim("d", "holds")},
                     header);

    const Comparison comparison = pair.compare();

    EXPECT_EQ(comparison.claims_compared, 4U);
    ASSERT_EQ(comparison.claims.size(), 3U);
    EXPECT_EQ(comparison.claims[0].subject + comparison.claims[0].after, "bvacuous");
    EXPECT_EQ(comparison.claims[1].subject + comparison.claims[1].after, "cabsent");
    EXPECT_EQ(comparison.claims[2].subject + comparison.claims[2].before, "dabsent");
}

TEST(CompareResults, SetsTimesAsideWhereTheEnvironmentDiffers) {
    const Pair pair;
    ResultHeader header = sample_header();
    (void)write_demo(pair.before.path(), {sample_row(0)}, header);
    header.provenance.cpu = "another";
    (void)write_demo(pair.after.path(), {sample_row(0)}, header);

    const Comparison comparison = pair.compare();

    EXPECT_TRUE(comparison.same()) << "another machine is no other result";
    EXPECT_FALSE(comparison.timings.at(0).ratio.has_value());
    ASSERT_EQ(comparison.environment.size(), 1U);
    EXPECT_EQ(comparison.environment[0].subject, "processor");
    EXPECT_EQ(comparison.environment[0].after, "another");
}

TEST(CompareResults, DividesTheTimesAfterwardsByThoseBefore) {
    const Pair pair;
    std::vector<Row> rows = repetitions({0.5, 0.25});
    (void)write_demo(pair.before.path(), rows);
    rows[0].seconds = 1.0;  // 0.25 before, like the other
    (void)write_demo(pair.after.path(), rows);

    EXPECT_DOUBLE_EQ(pair.compare().timings.at(0).ratio.value_or(0.0), 2.5);
}

TEST(CompareResults, FilesOnOneSideOnlyAreADifference) {
    const Pair pair;
    ResultHeader header = sample_header();
    (void)write_demo(pair.before.path(), {sample_row(0)}, header);
    header.configuration.id = "other";
    (void)write_demo(pair.after.path(), {sample_row(0)}, header);

    EXPECT_EQ(pair.compare().cases.size(), 2U);
}

TEST(ComparisonTexts, SayTheVerdictAndEveryChange) {
    const Pair pair;
    (void)write_demo(pair.before.path(), repetitions({0.5}));
    (void)write_demo(pair.after.path(), repetitions({0.75}));
    const Comparison comparison = pair.compare();

    EXPECT_EQ(comparison_text(comparison).rfind("Different: 0 of 0 claims, 0 cases, 1 of 1", 0),
              0U);
    EXPECT_NE(comparison_markdown(comparison).find("### Metrics that moved\n\n| file "),
              std::string::npos);
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

    EXPECT_NE(comparison_markdown(comparison).find("\nand 10 more.\n"), std::string::npos);
    EXPECT_EQ(comparison_text(comparison).find("more."), std::string::npos);
}

}  // namespace
}  // namespace attest

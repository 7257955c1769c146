#include "tests/cli/run_attest.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <fstream>

namespace attest::test {
namespace {

const std::string kRows = ATTEST_RESULTS "/quick/chen_li_rarity.jsonl";

/// The committed rows with one text replaced by another of them.
std::string changed_rows(const TemporaryFolder& folder,
                         const std::string& from,
                         const std::string& to) {
    std::string text = file_content(kRows);
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    text.replace(at, from.size(), to);
    std::ofstream(folder.file("chen_li_rarity.jsonl")) << text;
    return folder.file("chen_li_rarity.jsonl");
}

TEST(AttestCompare, ExitsWithZeroForTheSameRows) {
    const nlohmann::json found = run_json({"compare", kRows, kRows});

    EXPECT_TRUE(found.at("same").get<bool>());
    EXPECT_GT(found.at("metrics_compared").get<int>(), 10);
    EXPECT_EQ(found.at("timings").at(0).at("ratio"), 1.0);
}

TEST(AttestCompare, ExitsWithOneForAMetricThatMovedAndSaysSoInMarkdown) {
    const TemporaryFolder folder;
    const std::string after = changed_rows(folder, "{\"value\":0.081965", "{\"value\":0.181965");
    const std::string markdown = folder.file("change.md");

    const nlohmann::json found = run_json({"compare", kRows, after, "--markdown", markdown}, 1);

    EXPECT_FALSE(found.at("same").get<bool>());
    ASSERT_EQ(found.at("metrics").size(), 1U);
    EXPECT_EQ(found.at("metrics").at(0).at("after"), "0.181965");
    EXPECT_SAYS(file_content(markdown), "Metrics that moved");
    EXPECT_EQ(run_attest({"compare", kRows, after, "--threshold", "0.6"}).code, 0);
}

TEST(AttestCompare, WritesWhatChangedForServicesThatCollectChecks) {
    const TemporaryFolder folder;
    const std::string after = changed_rows(folder, "{\"value\":0.081965", "{\"value\":0.181965");
    const std::string junit = folder.file("change.xml");
    const std::string sarif = folder.file("change.sarif");

    (void)run_json({"compare", kRows, after, "--junit", junit, "--sarif", sarif}, 1);

    // The whole, and the one metric that moved.
    EXPECT_SAYS(file_content(junit), "tests=\"2\" failures=\"2\"");
    const auto results = nlohmann::json::parse(file_content(sarif)).at("runs").at(0).at("results");
    ASSERT_EQ(results.size(), 2U);
    EXPECT_EQ(results.at(1).at("ruleId"), "metric");
    EXPECT_EQ(results.at(1).at("level"), "error");
}

TEST(AttestCompare, TellsLinesItCannotReadAndComparesTheOthers) {
    const TemporaryFolder folder;
    const std::string after = changed_rows(folder, R"("kind":"row")", R"("kind":"now")");

    const RunResult run = run_attest({"compare", kRows, after});

    EXPECT_EQ(run.code, 1);
    EXPECT_SAYS(run.err, "chen_li_rarity.jsonl:2: row: got kind");
    EXPECT_SAYS(run.out, "absent");
    EXPECT_EQ(run_attest({"compare", kRows, "/nonexistent"}).code, 4);
}

TEST(AttestReport, WritesThePageOfAFolderFromItsRowsAlone) {
    const TemporaryFolder folder;
    std::filesystem::copy_file(kRows, folder.file("chen_li_rarity.jsonl"));

    const nlohmann::json found = run_json({"report", folder.path().string(), "--rewrite"});

    EXPECT_EQ(found.at("report"), folder.file("report.html"));
    EXPECT_SAYS(file_content(folder.file("report.html")), "figure-quick-chen-li-rarity");
    EXPECT_EQ(file_content(folder.file("tables/chen_li_rarity.csv")),
              file_content(ATTEST_RESULTS "/quick/tables/chen_li_rarity.csv"));
}

TEST(AttestReport, TellsLinesItCannotReadAndExitsWithFour) {
    const TemporaryFolder folder;
    const std::string rows = changed_rows(folder, R"("kind":"row")", R"("kind":"now")");

    const RunResult run = run_attest({"report", rows});

    EXPECT_EQ(run.code, 4);
    EXPECT_SAYS(run.err, "chen_li_rarity.jsonl:2: row: got kind");
    EXPECT_TRUE(std::filesystem::exists(folder.file("report.html")));
    EXPECT_EQ(run_attest({"report", "/nonexistent"}).code, 4);
}

}  // namespace
}  // namespace attest::test

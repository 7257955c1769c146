#include "report/result_set.hpp"

#include "core/base/error.hpp"
#include "report/rows_json.hpp"
#include "tests/record/fixture.hpp"
#include "tests/report/sample_results.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>

namespace attest::test {

namespace {

using record_test::sample_row;

TEST(ReadResults, TakesAFileAFolderOrAFolderOfProfiles) {
    const TemporaryFolder folder;
    const std::filesystem::path quick = write_demo(folder.path(), {sample_row(0)});

    for (const auto& place : {folder.path(), quick, quick / "demo.jsonl"}) {
        const ResultSet results = read_results(place);

        ASSERT_EQ(results.entries.size(), 1U) << place;
        EXPECT_EQ(results.entries.front().id, "demo");
        EXPECT_EQ(results.entries.front().profile, "quick");
        EXPECT_EQ(results.entries.front().rows.size(), 1U);
    }
}

TEST(ReadResults, ReportCorruptedRowsByTheirLineAndKeepTheOthers) {
    const TemporaryFolder folder;
    const std::filesystem::path quick = write_demo(folder.path(), {sample_row(0)});
    std::ofstream(quick / "demo.jsonl", std::ios::app) << "{\"half\": \n";
    std::ofstream(quick / "other.jsonl") << "no header\n";

    const ResultSet results = read_results(quick);

    ASSERT_EQ(results.entries.size(), 1U);
    EXPECT_EQ(results.entries.front().rows.size(), 1U);
    ASSERT_EQ(results.entries.front().problems.size(), 1U);
    EXPECT_EQ(results.entries.front().problems.front().rfind("demo.jsonl:3: row: ", 0), 0U)
        << results.entries.front().problems.front();
    ASSERT_EQ(results.problems.size(), 1U);
    EXPECT_EQ(results.problems.front().rfind("other.jsonl:1: header: ", 0), 0U);
}

TEST(ReadResults, SayWhatIsMissing) {
    const TemporaryFolder folder;
    const std::string place = folder.path().string();

    EXPECT_EQ(error_message<InvalidInput>([&] { (void)read_results(place); }),
              place + ": got a folder without result files (*.jsonl)");
    EXPECT_EQ(error_message<InvalidInput>([&] { (void)read_results(place + "/none"); }),
              place + "/none: there is no such file or folder");
}

using record_test::sample_row;
using Json = nlohmann::ordered_json;

TEST(RowsJson, NamesOnceWhatNoRowDiffersIn) {
    const Json table = rows_json({sample_row(0), sample_row(1)});

    EXPECT_EQ(table.at("same"),
              Json::parse(R"([["task","associative_memory"],["d","4"],["mixture","0.5"],
                              ["learner","ridge"],["penalty","0.1"],["seed","1"],
                              ["precision","double"]])"));
    EXPECT_EQ(table.at("columns"), Json::parse(R"([{"name":"repetition","kind":"setting"},
                              {"name":"distance","kind":"metric"},
                              {"name":"time","kind":"metric","unit":"s"},
                              {"name":"status","kind":"row"},{"name":"message","kind":"row"},
                              {"name":"seconds","kind":"row","unit":"s"}])"));
    EXPECT_EQ(table.at("rows"), Json::parse(R"([["0",[0.1,1e-12,"1/10"],2.0,"ok","",0.25],
                              ["1",[0.1,1e-12,"1/10"],2.0,"ok","",0.25]])"));
}

TEST(RowsJson, LeavesACellEmptyWhereARowHasNoSuchMetric) {
    Row other = sample_row(1);
    other.metrics.erase("time");

    const Json table = rows_json({sample_row(0), other});

    EXPECT_EQ(table.at("rows")[1][2], nullptr);
    EXPECT_TRUE(rows_json({}).at("rows").empty());
}

}  // namespace

}  // namespace attest::test

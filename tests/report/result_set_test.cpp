#include "report/result_set.hpp"

#include "core/base/error.hpp"
#include "tests/report/sample_results.hpp"

#include <gtest/gtest.h>

#include <fstream>

namespace attest {
namespace {

using record_test::message_of;
using record_test::sample_row;
using test::TemporaryFolder;
using test::write_demo;

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

    EXPECT_EQ(message_of<InvalidInput>([&] { (void)read_results(place); }),
              place + ": got a folder without result files (*.jsonl)");
    EXPECT_EQ(message_of<InvalidInput>([&] { (void)read_results(place + "/none"); }),
              place + "/none: there is no such file or folder");
}

}  // namespace
}  // namespace attest

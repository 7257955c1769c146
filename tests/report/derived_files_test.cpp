#include "report/derived_files.hpp"

#include "core/base/child_process.hpp"
#include "tests/report/sample_results.hpp"

#include <gtest/gtest.h>

namespace attest {
namespace {

using test::file_content;

const std::filesystem::path kResults = ATTEST_RESULTS;

TEST(DerivedFiles, CommittedTablesAndFiguresAreWhatTheirRowsGive) {
    // Another gnuplot than Debian 12's draws other bytes; tables do not depend on it.
    const bool same_gnuplot =
        run_child({"gnuplot", "--version"}).out == "gnuplot 5.4 patchlevel 4\n";
    std::size_t compared = 0;
    for (const char* profile : {"quick", "full"}) {
        const test::TemporaryFolder copy;
        for (const ResultEntry& entry : read_results(kResults / profile).entries) {
            std::filesystem::copy_file(entry.path, copy.path() / entry.path.filename());
        }
        for (const auto& file : rewrite_derived(read_results(copy.path()))) {
            const auto committed = kResults / profile / file.lexically_relative(copy.path());
            ASSERT_TRUE(std::filesystem::exists(committed)) << committed;
            if (same_gnuplot || file.extension() != ".svg") {
                EXPECT_TRUE(file_content(file) == file_content(committed)) << committed;
                ++compared;
            }
        }
    }
    EXPECT_GE(compared, 20U);
}

TEST(DerivedFiles, HoldFullAndRoundedTablesOfOneShape) {
    const ResultSet committed = read_results(kResults / "quick");
    EXPECT_GE(committed.entries.size(), 20U) << "an experiment each, and the claims";
    for (const ResultEntry& entry : committed.entries) {
        const DerivedFiles derived = derive_files(entry);

        EXPECT_EQ(derived.problem, "") << entry.id;
        EXPECT_FALSE(derived.tables.empty()) << entry.id;
        for (const DerivedTable& table : derived.tables) {
            ASSERT_EQ(table.full.size(), table.shown.size()) << table.name;
            EXPECT_EQ(table.full.front(), table.shown.front()) << table.name;
        }
    }
}

TEST(DerivedFiles, OfRowsThatAreNotAllThereSayWhatIsWrong) {
    ResultEntry entry = read_results(kResults / "quick" / "fig2.jsonl").entries.front();
    entry.rows.clear();

    const DerivedFiles derived = derive_files(entry);

    EXPECT_NE(derived.problem, "");
}

TEST(DerivedFiles, OfAnUnknownExperimentAreNone) {
    ResultEntry entry;
    entry.id = "unknown";

    EXPECT_TRUE(derive_files(entry).tables.empty());
    EXPECT_EQ(derive_files(entry).problem, "");
}

}  // namespace
}  // namespace attest

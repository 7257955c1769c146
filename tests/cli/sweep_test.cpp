#include "tests/cli/run_attest.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>

namespace attest::test {
namespace {

std::string sweep_file(const TemporaryFolder& folder, const std::string& seeds) {
    std::string path = folder.file("grid.toml");
    std::ofstream(path)
        << "name = 'grid'\nsummary = 'errors'\nseeds = " << seeds
        << "\n[data]\ntask = 'random-linear-attention'\nsequences = ['1 psi', '2 psi']\n"
           "held_out = 20\nd = 2\n[learn]\n[figure]\ny = 'held_out_relative'\n";
    return path;
}

TEST(AttestSweep, WritesRowsTableAndFigureAndItsReport) {
    const TemporaryFolder folder;
    const std::string out = folder.file("out");
    const nlohmann::json found =
        run_json({"sweep", sweep_file(folder, "2"), "--out", out, "--quiet"});
    EXPECT_EQ(found["rows"], 4);
    EXPECT_EQ(found["failed_cases"], 0);
    for (const char* file : {"grid.jsonl", "tables/grid.csv", "figures/grid.svg"}) {
        EXPECT_TRUE(std::filesystem::exists(std::filesystem::path(out) / file)) << file;
    }
    EXPECT_EQ(run_attest({"report", out}).code, 0);
    std::ifstream page(std::filesystem::path(out) / "report.html");
    const std::string text{std::istreambuf_iterator<char>(page), {}};
    EXPECT_SAYS(text, "<p>errors.</p>");
    EXPECT_EQ(text.find("does not know"), std::string::npos);
}

TEST(AttestSweep, ResumesAndRefusesToResumeAnotherGrid) {
    const TemporaryFolder folder;
    const std::string out = folder.file("out");
    const std::string file = sweep_file(folder, "2");
    (void)run_json({"sweep", file, "--out", out, "--quiet"});
    (void)run_json({"sweep", file, "--out", out, "--quiet", "--resume"});
    (void)sweep_file(folder, "3");
    const RunResult other = run_attest({"sweep", file, "--out", out, "--resume"});
    EXPECT_EQ(other.code, 4);
    EXPECT_SAYS(other.err, "seeds = 2");
    EXPECT_LT(other.err.size(), 500U) << other.err;
}

TEST(AttestSweep, ListsCasesAndRefusesBadFilesInOneLine) {
    const TemporaryFolder folder;
    const nlohmann::json listed = run_json({"sweep", sweep_file(folder, "2"), "--list"});
    EXPECT_EQ(listed["cases"].size(), 4U);
    const RunResult absent = run_attest({"sweep", folder.file("none.toml")});
    EXPECT_EQ(absent.code, 4);
    EXPECT_TRUE(one_line(absent.err)) << absent.err;
}

}  // namespace
}  // namespace attest::test

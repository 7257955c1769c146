#include "tests/cli/run_attest.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

namespace attest::test {
namespace {

using nlohmann::json;

TEST(AttestVerify, DocumentedOutcomesExitZeroWithOneJsonObject) {
    const RunResult run = run_attest({"verify", "yau2024/equation_19", "--json"});

    EXPECT_EQ(run.code, 0) << run.err;
    ASSERT_TRUE(one_line(run.out)) << run.out;
    const json result = json_of(run);
    EXPECT_EQ(result["as_documented"], 1);
    EXPECT_EQ(result["claims"][0]["outcome"], "holds_after_correction");
}

TEST(AttestVerify, ListIsAnArray) {
    const RunResult run = run_attest({"verify", "yau2024/lemma_*", "--list", "--json"});

    EXPECT_EQ(run.code, 0) << run.err;
    const json list = json_of(run);
    ASSERT_TRUE(list.is_array());
    std::set<std::string> ids;
    for (const json& claim : list) {
        EXPECT_EQ(claim.size(), 6U);
        EXPECT_TRUE(claim.contains("machine_checked"));
        EXPECT_TRUE(claim.contains("severity"));
        EXPECT_TRUE(claim.contains("outcome_documented"));
        const std::string id = claim["id"];
        EXPECT_EQ(id.rfind("yau2024/lemma_", 0), 0U) << id;
        EXPECT_TRUE(ids.insert(id).second) << id;
    }
    EXPECT_EQ(ids.count("yau2024/lemma_a5"), 1U);
    EXPECT_EQ(ids.count("yau2024/lemma_a7"), 1U);
    // The list for people has a line a claim.
    const RunResult text = run_attest({"verify", "yau2024/lemma_*", "--list"});
    EXPECT_EQ(static_cast<std::size_t>(std::count(text.out.begin(), text.out.end(), '\n')),
              ids.size());
    EXPECT_SAYS(text.out, "machine-checked: leverage.v: approximate_minimisers");
}

TEST(AttestVerify, AClaimThatLacksItsRowsDecidesNothing) {
    const RunResult run =
        run_attest({"verify", "yau2024/figure_2a", "--results", "/nonexistent", "--json"});

    EXPECT_EQ(run.code, 3) << run.err;
    EXPECT_EQ(json_of(run)["claims"][0]["outcome"], "skipped");
}

TEST(AttestVerify, SaysWhyNothingWasDecidedAndWhatToRun) {
    const TemporaryFolder folder;
    std::filesystem::create_directories(folder.file("quick"));
    std::ofstream(folder.file("quick/fig2.jsonl")) << "";

    const RunResult run = run_attest({"verify", "Figure 2 (a)", "--results", folder.file("")});

    EXPECT_EQ(run.code, 3) << run.err;
    std::string said = run.out;
    said.erase(std::remove(said.begin(), said.end(), '\n'), said.end());
    EXPECT_NE(said.find("yau2024/figure_2a is skipped"), std::string::npos) << run.out;
    EXPECT_NE(run.out.find("--profile full"), std::string::npos) << run.out;
    EXPECT_NE(run.out.find("too few"), std::string::npos) << run.out;
}

TEST(AttestVerify, TakesTheNamesThatPeopleWrite) {
    const auto ids = [](const std::string& name) {
        std::set<std::string> found;
        for (const json& claim : json_of(run_attest({"verify", name, "--list", "--json"}))) {
            found.insert(claim["id"].get<std::string>());
        }
        return found;
    };
    EXPECT_EQ(ids("Lemma A.7"), std::set<std::string>{"yau2024/lemma_a7"});
    EXPECT_EQ(ids("lemma_2_3").count("yau2024/lemma_2_3"), 1U);
    EXPECT_EQ(ids("Theorem 2.2").count("yau2024/theorem_2_2_running_time"), 1U);
}

TEST(AttestVerify, UnknownClaimIsAUsageErrorWithTheNearestId) {
    const RunResult run = run_attest({"verify", "yau2024/lemma_a9"});

    EXPECT_EQ(run.code, 2);
    EXPECT_TRUE(one_line(run.err)) << run.err;
    EXPECT_SAYS(run.err, "nearest: yau2024/lemma_a");
}

TEST(AttestVerify, WritesReportsAndExplains) {
    const TemporaryFolder folder;
    const std::string junit = folder.file("claims.xml");
    const std::string sarif = folder.file("claims.sarif");
    const std::string markdown = folder.file("pages");

    const RunResult run = run_attest(typed("verify yau2024/equation_33 --explain --junit " + junit +
                                           " --sarif " + sarif + " --markdown " + markdown));

    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_SAYS(run.out, "argument");
    EXPECT_SAYS(file_content(junit), "tests=\"1\"");
    EXPECT_EQ(json::parse(file_content(sarif))["runs"][0]["results"].size(), 1U);
    EXPECT_SAYS(file_content(markdown + "/docs/claims/yau2024.md"), "## yau2024/equation_33\n");
    EXPECT_SAYS(file_content(markdown + "/CLAIMS.md"), "\n| [yau2024/equation_33]");
}

TEST(AttestVerify, AReportThatCannotBeWrittenIsTheEnvironmentsFault) {
    for (const std::vector<std::string>& report :
         {std::vector<std::string>{"--junit", "/nowhere/claims.xml"},
          std::vector<std::string>{"--markdown", "/dev/null"}}) {
        const RunResult run = run_attest({"verify", "yau2024/equation_33", report[0], report[1]});

        EXPECT_EQ(run.code, 5) << run.err;
    }
}

}  // namespace
}  // namespace attest::test

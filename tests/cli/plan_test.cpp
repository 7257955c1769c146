#include "tests/cli/run_attest.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace attest::test {
namespace {

using nlohmann::json;

std::string pilot_of(const TemporaryFolder& folder, const std::string& count) {
    std::string data = folder.file("pilot.npz");
    const RunResult run =
        run_attest({"generate", "random-linear-attention", "--d", "3", "-N", count, "-o", data});
    EXPECT_EQ(run.code, 0) << run.err;
    return data;
}

TEST(AttestPlan, SaysHowManyExamplesReachTheRank) {
    const TemporaryFolder folder;
    const RunResult run = run_attest({"plan", pilot_of(folder, "60"), "--json"});
    EXPECT_EQ(run.code, 0) << run.err;
    const json plan = json_of(run);
    EXPECT_EQ(plan["verdict"], "planned");
    EXPECT_EQ(plan["examples"], 18);
    EXPECT_EQ(plan["rank"], 18);
}

TEST(AttestPlan, ExitsThreeWhereThePilotIsTooSmall) {
    const TemporaryFolder folder;
    const RunResult run = run_attest({"plan", pilot_of(folder, "12")});
    EXPECT_EQ(run.code, 3);
    EXPECT_SAYS(run.out, "pilot.npz is too small to say: the later half of its 12 draws");
}

TEST(AttestPlan, NamesTheFileOfTooFewSequences) {
    const TemporaryFolder folder;
    const RunResult run = run_attest({"plan", pilot_of(folder, "7")});
    EXPECT_EQ(run.code, 3) << run.err;
    EXPECT_SAYS(run.out, "pilot.npz is too small to say: it has 7 sequences, expected at least 8");
}

TEST(AttestPlan, SaysThatAPilotOfFullRankSuffices) {
    const TemporaryFolder folder;
    const RunResult run = run_attest({"plan", pilot_of(folder, "18")});
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_SAYS(run.out, "no more examples are needed");
}

TEST(AttestPlan, TakesTheOtherTargets) {
    const TemporaryFolder folder;
    const std::string pilot = pilot_of(folder, "400");
    const json coverage =
        json_of(run_attest({"plan", pilot, "--target", "coverage=0.99", "--json"}));
    EXPECT_EQ(coverage["verdict"], "planned");
    EXPECT_LE(coverage["examples"], coverage["at_most"]);
    const json error =
        json_of(run_attest({"plan", pilot, "--target", "error=0.01", "--noise", "0.1", "--json"}));
    EXPECT_EQ(error["at_least"], 54) << "σ²·o·ψ/error, o = 3";
}

TEST(AttestPlan, RefusesOtherTargets) {
    for (const std::string target : {"all", "coverage=1", "coverage=", "error=0", "error=nan"}) {
        const RunResult run = run_attest({"plan", "pilot.npz", "--target", target});
        EXPECT_EQ(run.code, 2) << target;
        EXPECT_SAYS(run.err, "expected rank, coverage=C");
    }
    const RunResult run = run_attest({"plan", "pilot.npz", "--target", "error=0.1"});
    EXPECT_EQ(run.code, 2);
    EXPECT_SAYS(run.err, "got no noise");
}

}  // namespace
}  // namespace attest::test

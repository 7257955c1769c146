#include "tests/cli/run_attest.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <fstream>

namespace attest::test {
namespace {

struct Round {
    RunResult certified;
    RunResult checked;
};

/// Certifies with a proof, then lets the independent checker read it.
Round certify_and_check(const TemporaryFolder& folder,
                        const std::string& data,
                        std::vector<std::string> options,
                        const std::string& queries = "") {
    const std::string proof = folder.file("proof.cert");
    std::vector<std::string> arguments{"certify", data, "--proof", proof};
    arguments.insert(arguments.end(), options.begin(), options.end());
    std::vector<std::string> check{proof, data};
    if (!queries.empty()) {
        arguments.insert(arguments.end(), {"--queries", queries});
        check.push_back(queries);
    }
    const RunResult certified = run_attest(arguments);
    return {certified, run_program(ATTEST_CHECK_BINARY, check)};
}

std::string generate(const TemporaryFolder& folder,
                     const std::string& name,
                     std::vector<std::string> words) {
    std::string file = folder.file(name);
    words.insert(words.begin(), "generate");
    words.insert(words.end(), {"-o", file});
    const RunResult run = run_attest(words);
    EXPECT_EQ(run.code, 0) << run.err;
    return file;
}

TEST(AttestCheck, SaysWhatTheIndependentCheckerSays) {
    const TemporaryFolder folder;
    const std::string data =
        generate(folder, "data.npz", {"random-linear-attention", "--d", "2", "-N", "20"});
    const std::string other =
        generate(folder, "other.npz", {"random-linear-attention", "--d", "2", "-N", "21"});
    const std::string proof = folder.file("proof.cert");
    ASSERT_EQ(run_attest({"certify", data, "--proof", proof}).code, 0);

    const RunResult verified = run_attest({"check", proof, data});
    const RunResult rejected = run_attest({"check", proof, other, "--json"});
    const RunResult absent = run_attest({"check", folder.file("no.cert"), data});

    EXPECT_EQ(verified.code, 0);
    EXPECT_EQ(verified.out, "VERIFIED full-rank\n");
    EXPECT_EQ(rejected.code, 1);
    EXPECT_EQ(rejected.out.rfind(R"({"verdict":"rejected","answer":"REJECTED: line 2: )", 0), 0U)
        << rejected.out;
    EXPECT_EQ(absent.code, 4);
    EXPECT_TRUE(absent.out.empty());
    EXPECT_TRUE(one_line(absent.err)) << absent.err;
}

TEST(Proofs, OfEveryLevelAreVerifiedByTheIndependentChecker) {
    const TemporaryFolder folder;
    const std::string full = generate(
        folder, "full.npz", {"random-linear-attention", "--d", "3", "--n", "4", "-N", "60"});
    const std::string single =
        generate(folder, "single.npz", {"iid-entries", "--d", "3", "--n", "1", "-N", "60"});
    const std::string prefixes = generate(
        folder,
        "prefixes.npz",
        {"random-linear-attention", "--d", "2", "--n", "9", "--labels", "per_prefix", "-N", "3"});

    for (const std::string level : {"exact", "rigorous"}) {
        for (const std::string& data : {full, prefixes}) {
            const Round round = certify_and_check(folder, data, {"--level", level});
            EXPECT_EQ(round.certified.code, 0) << level << round.certified.err;
            EXPECT_EQ(round.checked.code, 0) << level << round.checked.out << round.checked.err;
        }
    }
    const Round deficient = certify_and_check(folder, single, {});
    EXPECT_EQ(deficient.certified.code, 1);
    EXPECT_EQ(deficient.checked.out, "VERIFIED rank 10\n");
    const Round undecided = certify_and_check(folder, single, {"--level", "rigorous"});
    EXPECT_EQ(undecided.certified.code, 3);
    EXPECT_EQ(undecided.checked.out.rfind("VERIFIED lambda-min 0*2^0 ", 0), 0U)
        << undecided.checked.out;
}

TEST(Proofs, OfQueriesAreVerifiedByTheIndependentChecker) {
    const TemporaryFolder folder;
    const std::string single =
        generate(folder, "single.npz", {"iid-entries", "--d", "3", "--n", "1", "-N", "60"});
    const std::string inside = generate(
        folder, "inside.npz", {"iid-entries", "--d", "3", "--n", "1", "-N", "4", "--seed", "2"});
    const std::string outside = generate(
        folder, "outside.npz", {"iid-entries", "--d", "3", "--n", "2", "-N", "4", "--seed", "2"});

    const Round determined = certify_and_check(folder, single, {}, inside);
    const Round undetermined = certify_and_check(folder, single, {}, outside);

    EXPECT_EQ(determined.certified.code, 0) << determined.certified.err;
    EXPECT_EQ(determined.checked.out, "VERIFIED determined 0 1 2 3\n");
    EXPECT_EQ(undetermined.certified.code, 1);
    EXPECT_EQ(undetermined.checked.out, "VERIFIED undetermined 0 1 2 3\n");
}

TEST(Proofs, OfOtherDataAreRejected) {
    const TemporaryFolder folder;
    const std::string data = generate(
        folder, "data.npz", {"random-linear-attention", "--d", "2", "-N", "30", "--seed", "1"});
    const std::string other = generate(
        folder, "other.npz", {"random-linear-attention", "--d", "2", "-N", "30", "--seed", "2"});
    ASSERT_EQ(certify_and_check(folder, data, {}).checked.code, 0);

    const RunResult checked = run_program(ATTEST_CHECK_BINARY, {folder.file("proof.cert"), other});

    EXPECT_EQ(checked.code, 1);
    EXPECT_EQ(checked.out.rfind("REJECTED: line 2: ", 0), 0U) << checked.out;
}

}  // namespace
}  // namespace attest::test

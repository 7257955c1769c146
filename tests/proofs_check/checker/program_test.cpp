#include "tests/proofs_check/checker/example_files.hpp"
#include "tests/proofs_check/checker/zip_bytes.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>

namespace attest::checker_test {
namespace {

struct Outcome {
    int code;
    std::string output;
};

/// Runs attest-check with these arguments; `stream` is what is read of it: 1 standard output, 2
/// standard error.
Outcome run(const std::string& arguments, int stream) {
    const std::string redirect = stream == 1 ? " 2>/dev/null" : " 2>&1 >/dev/null";
    FILE* const pipe = popen((ATTEST_CHECK_PROGRAM " " + arguments + redirect).c_str(), "r");
    std::string output;
    for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) {
        output += static_cast<char>(c);
    }
    return {WEXITSTATUS(pclose(pipe)), output};
}

std::string valid(const std::string& name) {
    return examples_folder() + "valid/" + name + ".cert ";
}

std::string data(const std::string& name) {
    return examples_folder() + "data/" + name + ".npz ";
}

TEST(AttestCheck, PrintsTheClaimItVerified) {
    const Outcome proof = run(valid("full_rank_d6") + data("d6"), 1);
    const Outcome with_queries = run(valid("undetermined_null") + data("d5") + data("queries"), 1);

    EXPECT_EQ(proof.code, 0);
    EXPECT_EQ(proof.output, "VERIFIED full-rank\n");
    EXPECT_EQ(with_queries.code, 0);
    EXPECT_EQ(with_queries.output, "VERIFIED undetermined 0 1\n");
}

TEST(AttestCheck, PrintsTheLineItRejects) {
    const Outcome wrong_data = run(valid("rank_null") + data("one"), 1);
    const Outcome no_queries = run(valid("undetermined_null") + data("d5"), 1);

    EXPECT_EQ(wrong_data.code, 1);
    EXPECT_EQ(wrong_data.output.substr(0, 34), "REJECTED: line 3: expected data di");
    EXPECT_EQ(no_queries.code, 1);
    EXPECT_EQ(no_queries.output, "REJECTED: line 4: expected claim \n");
}

TEST(AttestCheck, SaysHowItIsUsed) {
    for (const std::string& arguments :
         {std::string(), valid("full_rank_d6"), valid("full_rank_d6") + "a b c"}) {
        const Outcome usage = run(arguments, 2);
        EXPECT_EQ(usage.code, 2);
        EXPECT_EQ(
            usage.output,
            "usage: attest-check PROOF.cert DATA.npz [QUERIES.npz], or PROOF.cert alone, of a "
            "stack\n");
    }
}

TEST(AttestCheck, NamesTheFileItCannotRead) {
    const Outcome no_proof = run("/nowhere.cert " + data("d6"), 2);
    const Outcome no_data = run(valid("full_rank_d6") + "/nowhere.npz", 2);
    const Outcome no_npz = run(valid("full_rank_d6") + valid("full_rank_d6"), 2);
    const Outcome bad_queries =
        run(valid("full_rank_d6") + data("d6") + write_file("bad.npz", "PK"), 2);

    EXPECT_EQ(no_proof.code, 4);
    EXPECT_EQ(no_proof.output, "attest-check: /nowhere.cert: cannot be read, or is too large\n");
    EXPECT_EQ(no_data.code, 4);
    EXPECT_EQ(no_data.output, "attest-check: /nowhere.npz: cannot be read, or is too large\n");
    EXPECT_EQ(no_npz.code, 4);
    EXPECT_EQ(bad_queries.code, 4);
    EXPECT_SAYS(bad_queries.output, "bad.npz: not a zip file, or bytes follow it\n");
}

TEST(AttestCheck, RefusesAProofAboveItsLimit) {
    const std::string path = write_file("large.cert", std::string((1 << 26) + 1, '#'));

    EXPECT_EQ(run(path + " " + data("d6"), 1).code, 4);
    std::remove(path.c_str());
}

}  // namespace
}  // namespace attest::checker_test

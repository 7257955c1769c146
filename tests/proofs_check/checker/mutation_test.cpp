#include "proofs_check/checker/digest.hpp"
#include "tests/proofs_check/checker/exact_oracle.hpp"
#include "tests/proofs_check/checker/example_files.hpp"
#include "tests/proofs_check/checker/mutate.hpp"
#include "tests/proofs_check/checker/zip_bytes.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace attest::checker_test {
namespace {

using checker::Dataset;

/// 500, or what the test registered under `slow` asks for.
int num_mutants() {
    const char* const wanted = std::getenv("ATTEST_MUTANTS");
    return wanted == nullptr ? 500 : std::atoi(wanted);
}

bool is_verified(const std::string& answer) {
    return answer.substr(0, 9) == "VERIFIED ";
}

/// One mutant after the other: a valid example, and another one to take lines and words from.
template <class Check>
void for_each_mutant(std::uint64_t seed, Check check) {
    const std::vector<Example> examples = read_examples("valid");
    Dice dice(seed);
    for (int i = 0; i < num_mutants(); ++i) {
        const Example& example = examples[dice.below(examples.size())];
        const Example& other = examples[dice.below(examples.size())];
        check(example, other, dice);
    }
}

TEST(Mutation, EveryChangedProofIsRejected) {
    int changed = 0;

    for_each_mutant(1, [&](const Example& example, const Example& other, Dice& dice) {
        const std::string mutant = mutate_text(example.text, other.text, dice);
        changed += mutant == example.text ? 0 : 1;
        ASSERT_EQ(is_verified(verdict(mutant, example.files)), mutant == example.text) << mutant;
    });

    EXPECT_GT(changed, num_mutants() * 9 / 10);
}

/// Whoever signs a changed proof again gets it accepted only if it is a proof: of the same claim,
/// or of another true one.
TEST(Mutation, ASignedChangeIsAcceptedOnlyIfItsClaimIsTrue) {
    int accepted = 0;

    for_each_mutant(2, [&](const Example& example, const Example& other, Dice& dice) {
        const std::string body = body_of(example.text);
        const std::string mutant = sign(mutate_text(body, body_of(other.text), dice));
        const std::string answer = verdict(mutant, example.files);
        if (!is_verified(answer) || without_comments(mutant) == without_comments(example.text)) {
            return;
        }
        ++accepted;
        const Dataset none;
        const Dataset& queries = example.files.size() > 1 ? example_data(example.files[1]) : none;
        ASSERT_TRUE(is_true(answer.substr(9), example_data(example.files[0]), queries)) << mutant;
    });

    // Another prime or a wider bound is a proof as well, so that the oracle has work; most changes
    // prove nothing.
    EXPECT_GT(accepted, 0);
    EXPECT_LT(accepted, num_mutants() / 10);
}

TEST(Mutation, EveryChangedDataSetIsRefusedOrRejectedUnlessItIsTheSame) {
    int unreadable = 0;
    int rejected = 0;

    for_each_mutant(3, [&](const Example& example, const Example&, Dice& dice) {
        const std::string path = examples_folder() + "data/" + example.files[0];
        const std::string mutant = dice.below(2) == 0
                                       ? mutate_bytes(checker::read_file(path, 1 << 20), dice)
                                       : mutate_archive(example_data(example.files[0]), dice);
        try {
            const Dataset data = checker::load_dataset(write_file("mutant.npz", mutant));
            const Dataset none;
            const Dataset& queries =
                example.files.size() > 1 ? example_data(example.files[1]) : none;
            const bool same =
                checker::describe(data) == checker::describe(example_data(example.files[0]));
            ASSERT_EQ(is_verified(verdict(example.text, data, queries)), same) << example.name;
            rejected += same ? 0 : 1;
        } catch (const checker::Failure& failure) {
            ASSERT_EQ(failure.code, 4);
            ++unreadable;
        }
    });

    EXPECT_GT(unreadable, 0);
    EXPECT_GT(rejected, 0);
}

TEST(Mutation, TheOracleKnowsTheClaimsOfTheExamples) {
    for (const Example& example : read_examples("valid")) {
        const Dataset none;
        const Dataset& data = example_data(example.files[0]);
        const Dataset& queries = example.files.size() > 1 ? example_data(example.files[1]) : none;
        EXPECT_TRUE(is_true(line_of(example.text, "claim "), data, queries)) << example.name;
    }
}

TEST(Mutation, TheOracleDeniesFalseClaims) {
    const Dataset& six = example_data("d6.npz");  // rank 6 of 6, least eigenvalue 0.015899077…
    const Dataset& five = example_data("d5.npz");
    const Dataset& queries = example_data("queries.npz");

    for (const char* claim : {"deficient",
                              "rank 5",
                              "rank 7",
                              "lambda-min 1042*2^-16 1*2^0",
                              "lambda-min 0*2^0 1041*2^-16",
                              "undetermined 0",
                              "labels-consistent",
                              "labels-inconsistent",
                              "rank",
                              "nonsense"}) {
        EXPECT_FALSE(is_true(claim, six, queries)) << claim;
    }
    for (const char* claim : {"full-rank",
                              "rank 6",
                              "lambda-min 1*2^-60 1*2^0",
                              "determined 0",
                              "determined 4 0",
                              "undetermined 4",
                              "undetermined 0 4",
                              "determined"}) {
        EXPECT_FALSE(is_true(claim, five, queries)) << claim;
    }
    EXPECT_FALSE(is_true("labels-inconsistent", example_data("consistent.npz"), queries));
    EXPECT_FALSE(is_true("labels-consistent", example_data("noisy.npz"), queries));
    EXPECT_FALSE(is_true("labels-consistent", example_data("twice.npz"), queries));
}

}  // namespace
}  // namespace attest::checker_test

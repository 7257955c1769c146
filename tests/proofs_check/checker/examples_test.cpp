#include "tests/proofs_check/checker/example_files.hpp"

#include <gtest/gtest.h>

namespace attest::checker_test {
namespace {

TEST(Examples, EveryValidProofIsVerifiedWithItsClaim) {
    const std::vector<Example> examples = read_examples("valid");

    ASSERT_GE(examples.size(), 26U);
    for (const Example& example : examples) {
        const std::string claim = line_of(example.text, "claim ");
        EXPECT_EQ(verdict(example.text, example.files), "VERIFIED " + claim) << example.name;
    }
}

TEST(Examples, EveryBrokenProofIsRejectedAndSaysWhy) {
    const std::vector<Example> examples = read_examples("broken");

    ASSERT_GE(examples.size(), 77U);
    for (const Example& example : examples) {
        EXPECT_EQ(verdict(example.text, example.files).substr(0, 15), "REJECTED: line ")
            << example.name;
        EXPECT_NE(line_of(example.text, "# must be rejected: "), "") << example.name;
    }
}

TEST(Examples, ProofsAreRejectedForAllOtherData) {
    const std::vector<Example> examples = read_examples("valid");

    for (const Example& example : examples) {
        for (const Example& other : examples) {
            if (example.files[0] != other.files[0]) {
                EXPECT_EQ(verdict(example.text, other.files).substr(0, 8), "REJECTED")
                    << example.name << other.name;
            }
        }
    }
}

}  // namespace
}  // namespace attest::checker_test

#include "proofs_check/checker/grouped.hpp"

#include "proofs_check/checker/digest.hpp"
#include "tests/proofs_check/checker/example_files.hpp"

#include <gtest/gtest.h>

namespace attest::checker {
namespace {

using checker_test::numbers;  // sequence i is the one token x_i, its state x_i², its query x_i

std::string grouped_verdict(const std::string& evidence, const Dataset& data) {
    return checker_test::verdict(
        checker_test::sign("attest-proof 1\ndata " + describe(data) + "\n" + evidence), data, {});
}

/// One group, its members and the row of its minor given; the claim stands on line 3.
std::string proof(const char* rank, const char* group, const char* row, const char* prime = "5") {
    return std::string("claim grouped ") + rank + "\ngroups 1\ngroup " + group +
           "\nrank 1\nprime " + prime + "\nrows " + row + "\ncolumns 0\nprime " + prime +
           "\ncolumns 0\n";
}

TEST(Grouped, OneTokenNotZeroHasRankOne) {
    EXPECT_EQ(grouped_verdict(proof("1", "0", "0"), numbers({3})), "VERIFIED grouped 1");
    EXPECT_EQ(grouped_verdict(proof("1", "0 1", "1"), numbers({3, 3})), "VERIFIED grouped 1");
}

TEST(Grouped, AFullRankNeedsNoOtherExample) {
    EXPECT_EQ(grouped_verdict(proof("1", "1", "1"), numbers({2, 3, 4})), "VERIFIED grouped 1");
}

TEST(Grouped, AMinorThatVanishesModuloThePrimeProvesNothing) {
    EXPECT_EQ(grouped_verdict(proof("1", "0", "0", "3"), numbers({3})),
              "REJECTED: line 9: the minor is 0 mod the prime");
}

TEST(Grouped, ExamplesOfAGroupShareTheirQuery) {
    EXPECT_EQ(grouped_verdict(proof("1", "0 1", "0"), numbers({3, 2})),
              "REJECTED: line 5: the group has more than one query");
    EXPECT_EQ(grouped_verdict(proof("1", "0", "1"), numbers({3, 3})),
              "REJECTED: line 8: not all of them are in the group");
}

TEST(Grouped, TheClaimIsTheSumOfTheRanks) {
    EXPECT_EQ(grouped_verdict(proof("0", "0", "0"), numbers({3})),
              "REJECTED: line 11: the ranks of the groups have another sum");
}

TEST(Grouped, AQueryIsNotZeroAndNullVectorsMeetEveryStateOfTheGroup) {
    const std::string nothing =
        "claim grouped 0\ngroups 1\ngroup 1\nrank 0\nprime 5\nrows\ncolumns\n"
        "null 0:1\nprime 5\ncolumns 0\n";

    EXPECT_EQ(grouped_verdict(nothing, numbers({3, 0})),
              "REJECTED: line 12: the queries' minor is 0 mod the prime");
    EXPECT_EQ(grouped_verdict(nothing, numbers({0, 3})),
              "REJECTED: line 10: not orthogonal to state 1");
}

TEST(Grouped, LabelsForEachPrefixHaveNoGroups) {
    Dataset data = numbers({3});
    data.prefixes = true;
    data.o = 1;
    data.y = {1};

    EXPECT_EQ(grouped_verdict(proof("1", "0", "0"), data),
              "REJECTED: line 3: only of the paper's layer, without labels for each prefix");
}

TEST(Nonsingular, SmallPrimesGiveTheAnswerOfLargeOnes) {
    // 2100 rows: sums of products are reduced on the way. Hilbert-like entries 1 + (7i + 3j)·ij mod
    // 11 have rank 11 at most, the identity beside them 2100.
    constexpr Index kSize = 2100;
    constexpr std::uint64_t kSmall = 67108859;
    std::vector<std::uint64_t> matrix(kSize * kSize);
    for (std::size_t i = 0; i < kSize; ++i) {
        for (std::size_t j = 0; j < kSize; ++j) {
            matrix[i * kSize + j] = kSmall - 1 - (7 * i + 3 * j) * i * j % 11;
        }
    }
    EXPECT_FALSE(nonsingular(matrix, kSize, kSmall));
    for (std::size_t i = 0; i < kSize; ++i) {
        matrix[i * kSize + i] = i * i + 1;
    }
    EXPECT_EQ(nonsingular(matrix, 60, kSmall), nonsingular(matrix, 60, 4611686018427387847ULL));
    EXPECT_TRUE(nonsingular(matrix, kSize, kSmall));
}

}  // namespace
}  // namespace attest::checker

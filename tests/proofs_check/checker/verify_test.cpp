#include "proofs_check/checker/verify.hpp"

#include "proofs_check/checker/digest.hpp"
#include "tests/proofs_check/checker/example_files.hpp"

#include <gtest/gtest.h>

namespace attest::checker {
namespace {

using checker_test::numbers;  // H_i = token³, ψ = 1, Λ = mean of token⁶
using checker_test::sign;

Dataset labelled(const std::vector<double>& tokens, const std::vector<double>& y) {
    Dataset data = numbers(tokens);
    data.o = 1;
    data.y = y;
    return data;
}

std::string verdict(const std::string& evidence, const Dataset& data, const Dataset& queries = {}) {
    const std::string asked = queries.num_examples > 0 ? "queries " + describe(queries) + "\n" : "";
    return checker_test::verdict(
        sign("attest-proof 1\ndata " + describe(data) + "\n" + asked + evidence), data, queries);
}

std::string power_of_two(const Integer& mantissa, int exponent) {
    return mantissa.str() + "*2^" + std::to_string(exponent);
}

TEST(Verify, AcceptsAMinorOnlyIfItDoesNotVanishModuloThePrime) {
    const Dataset data = numbers({0, 3});
    const auto proof = [](const char* prime, const char* row) {
        return std::string("claim full-rank\nprime ") + prime + "\nrows " + row + "\ncolumns 0\n";
    };

    EXPECT_EQ(verdict(proof("5", "1"), data), "VERIFIED full-rank");
    EXPECT_EQ(verdict(proof("4611686018427387847", "1"), data), "VERIFIED full-rank");
    EXPECT_EQ(verdict(proof("3", "1"), data), "REJECTED: line 6: the minor is 0 mod the prime");
    EXPECT_EQ(verdict(proof("5", "0"), data), "REJECTED: line 6: the minor is 0 mod the prime");
    EXPECT_EQ(verdict(proof("9", "1"), data),
              "REJECTED: line 4: not an odd prime below 2^62, or too large a minor");
    EXPECT_EQ(verdict(proof("4611686018427387905", "1"), data),
              "REJECTED: line 4: not an odd prime below 2^62, or too large a minor");
}

TEST(Verify, ComparesTheLowerBoundExactly) {
    const Dataset data = numbers({1});
    const Integer one = Integer(1) << 20000;
    const auto proof = [](const std::string& lower, const std::string& upper) {
        return "claim lambda-min " + lower + " " + upper + "\nfactor 0 0\nupper 0:-7\n";
    };

    EXPECT_EQ(verdict(proof("1*2^0", "1*2^0"), data), "VERIFIED lambda-min 1*2^0 1*2^0");
    EXPECT_EQ(verdict(proof(power_of_two(one - 1, -20000), "1*2^20000"), data).substr(0, 8),
              "VERIFIED");
    EXPECT_EQ(verdict(proof(power_of_two(one + 1, -20000), "1*2^20000"), data),
              "REJECTED: line 4: not diagonally dominant");
}

TEST(Verify, ComparesTheUpperBoundExactly) {
    const Dataset data = numbers({1, 2});  // Λ = (1 + 64) / 2
    const auto proof = [](const std::string& upper) {
        return "claim lambda-min 0*2^0 " + upper + "\nupper 0:3\n";
    };
    const Integer half = Integer(65) << 19999;

    EXPECT_EQ(verdict(proof("65*2^-1"), data), "VERIFIED lambda-min 0*2^0 65*2^-1");
    EXPECT_EQ(verdict(proof(power_of_two(half, -20000)), data).substr(0, 8), "VERIFIED");
    EXPECT_EQ(verdict(proof(power_of_two(half - 1, -20000)), data),
              "REJECTED: line 4: the Rayleigh quotient exceeds the upper bound");
}

TEST(Verify, ScalesEnclosuresOfTinyAndHugeData) {
    const auto proof = [](int exponent) {
        const std::string bound = "1*2^" + std::to_string(exponent);
        return "claim lambda-min " + bound + " " + bound + "\nfactor " +
               std::to_string(exponent / 2) + " 0\nupper 0:1\n";
    };

    EXPECT_EQ(verdict(proof(-6444), numbers({0x1p-1074})).substr(0, 8), "VERIFIED");
    EXPECT_EQ(verdict(proof(6138), numbers({0x1p1023})).substr(0, 8), "VERIFIED");
    EXPECT_EQ(verdict(proof(6139), numbers({0x1p1023})).substr(0, 8), "REJECTED");
}

TEST(Verify, CountsTheExamplesInTheSecondMoment) {
    // Λ = (0 + 0 + 0 + 64) / 4.
    const Dataset data = numbers({0, 0, 0, 2});

    EXPECT_EQ(verdict("claim lambda-min 16*2^0 16*2^0\nfactor 0 0\nupper 0:1\n", data).substr(0, 8),
              "VERIFIED");
    EXPECT_EQ(verdict("claim lambda-min 16*2^0 16*2^0\nfactor 0 4\nupper 0:1\n", data).substr(0, 8),
              "REJECTED");
    EXPECT_EQ(verdict("claim lambda-min 12*2^0 16*2^0\nfactor 0 2\nupper 0:1\n", data).substr(0, 8),
              "VERIFIED");
}

TEST(Verify, ChecksNullVectorsOnEveryExample) {
    EXPECT_EQ(verdict("claim deficient\nnull 0:1\n", numbers({0, 0})), "VERIFIED deficient");
    EXPECT_EQ(verdict("claim deficient\nnull 0:1\n", numbers({0, 0x1p-1074})),
              "REJECTED: line 4: not orthogonal to row 1");
}

TEST(Verify, ComparesQueriesAndDataOnOneScale) {
    const Dataset data = numbers({1});
    const Dataset queries = numbers({0.5, 0});

    EXPECT_EQ(verdict("claim determined 0 1\nrelation 8 0:-1\nrelation 1\n", data, queries),
              "VERIFIED determined 0 1");
    EXPECT_EQ(verdict("claim determined 0\nrelation 1 0:-1\n", data, queries),
              "REJECTED: line 5: the features do not cancel");
    EXPECT_EQ(verdict("claim undetermined 0\nnull 0:1\n", numbers({0}), queries),
              "VERIFIED undetermined 0");
    EXPECT_EQ(verdict("claim undetermined 1\nnull 0:1\n", numbers({0}), queries),
              "REJECTED: line 5: orthogonal to query 1");
}

TEST(Verify, NeedsTheQueriesItSpeaksOf) {
    const Dataset data = numbers({0});
    const Dataset queries = numbers({1});
    Dataset wide = queries;
    wide.d = 2;
    wide.tokens = {1, 1};
    const std::string named = sign("attest-proof 1\ndata " + describe(data) + "\nqueries " +
                                   describe(queries) + "\nclaim undetermined 0\nnull 0:1\n");

    EXPECT_EQ(checker_test::verdict(named, data, queries), "VERIFIED undetermined 0");
    EXPECT_EQ(checker_test::verdict(named, data, Dataset{}), "REJECTED: line 3: expected claim ");
    EXPECT_EQ(checker_test::verdict(named, data, numbers({2})).substr(0, 26),
              "REJECTED: line 3: expected");
    EXPECT_EQ(verdict("claim undetermined 0\nnull 0:1\n", data, wide),
              "REJECTED: line 3: the queries have another dimension");
    EXPECT_EQ(verdict("claim undetermined 0\nnull 0:1\n", data),
              "REJECTED: line 3: a number is out of range or order");
}

TEST(Verify, ScalesLabelsWithTheFeatures) {
    const Dataset data = labelled({1, 2}, {0x1p-1074, 0x1p-1071});
    const std::string fit = "null 0:1 1:-" + Integer(Integer(1) << 1074).str() + "\n";

    EXPECT_EQ(verdict("claim labels-consistent\n" + fit, data), "VERIFIED labels-consistent");
    EXPECT_EQ(verdict("claim labels-consistent\n" + fit, labelled({1, 2}, {0x1p-1074, 0x1p-1070})),
              "REJECTED: line 4: not orthogonal to row 1");
    EXPECT_EQ(verdict("claim labels-inconsistent\nrelation 0:8 1:-1\n", data),
              "REJECTED: line 4: the labels cancel too");
    EXPECT_EQ(verdict("claim labels-inconsistent\nrelation 0:8 1:-1\n", labelled({1, 2}, {1, 1})),
              "VERIFIED labels-inconsistent");
}

TEST(Verify, DoesNotTakeANullVectorOfTheFeaturesForAFit) {
    EXPECT_EQ(verdict("claim labels-consistent\nnull 0:1\n", labelled({0}, {1})),
              "REJECTED: line 4: there is no label in it");
    EXPECT_EQ(verdict("claim labels-inconsistent\nrelation 0:1\n", labelled({0}, {1})),
              "VERIFIED labels-inconsistent");
}

TEST(Verify, SurvivesNonsense) {
    const Dataset data = numbers({1, 2});
    const std::string digits(100000, '9');
    const std::string huge = std::string("claim lambda-min ")
                                 .append(digits)
                                 .append("*2^20000 1*2^0\nfactor 20000 ")
                                 .append(digits)
                                 .append("\nupper 0:1\n");

    for (const std::string& evidence : std::vector<std::string>{
             "",
             "claim",
             "claim \n",
             "claim rank -1\n",
             "claim rank " + digits + "\n",
             "claim rank 1",
             "claim rank 1\nprime " + digits + "\nrows 0\ncolumns 0\n",
             "claim full-rank\nprime 7\nrows\ncolumns\n",
             "claim full-rank\nprime 7\nrows " + digits + "\ncolumns 0\n",
             "claim full-rank\nprime 0\nrows 0\ncolumns 0\n",
             "claim lambda-min 1*2^" + digits + " 1*2^0\nfactor 0 1\nupper 0:1\n",
             "claim lambda-min 1*2^20001 1*2^0\nfactor 0 1\nupper 0:1\n",
             huge,
             "claim deficient\nnull 0:" + digits + "\n",
             "claim deficient\nnull " + digits + ":1\n",
             "claim determined 0\nbasis 1\n",
             "claim labels-inconsistent\nextend 1\noutput 0\n",
             "# claim deficient\n",
             "claim deficient\nfew-examples\n\n",
             "claim deficient\n\xff\n",
             std::string("claim deficient\n\0\n", 18)}) {
        EXPECT_EQ(verdict(evidence, data).substr(0, 14), "REJECTED: line")
            << evidence.substr(0, 60);
    }
}

}  // namespace
}  // namespace attest::checker

#include "report/certificate_example.hpp"

#include "core/base/bitwise.hpp"
#include "core/features/cubic.hpp"

#include <gtest/gtest.h>

namespace attest {
namespace {

double output(const Matrix& P, const Matrix& Z) {
    return (P.transpose() * cubic_features(Z))(0);
}

TEST(CertificateExample, OfSixSequencesIsVerifiedAsFullRank) {
    const CertificateExample example = determined_example();

    EXPECT_EQ(example.rank.verdict, RankVerdict::full_rank);
    EXPECT_EQ(example.answer, "VERIFIED full-rank");
    EXPECT_FALSE(example.witness.has_value());
}

TEST(CertificateExample, OfFiveSequencesHasTwoMinimisersThatDisagree) {
    const CertificateExample example = undetermined_example();

    EXPECT_EQ(example.rank.verdict, RankVerdict::deficient);
    EXPECT_EQ(example.answer, "VERIFIED rank 5");
    ASSERT_TRUE(example.witness.has_value());
    for (const Matrix& P : example.witness->P) {
        for (Index i = 0; i < example.data.num_sequences(); ++i) {
            EXPECT_TRUE(bitwise_equal(output(P, example.data.sequence(i)), example.data.y(0, i)));
        }
    }
    const Matrix input = example.witness->input.sequence(0);
    EXPECT_FALSE(
        bitwise_equal(output(example.witness->P[0], input), output(example.witness->P[1], input)));
}

}  // namespace
}  // namespace attest

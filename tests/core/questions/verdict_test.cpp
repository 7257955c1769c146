#include "core/questions/verdict.hpp"

#include "tests/core/questions/audit_examples.hpp"

#include <gtest/gtest.h>

namespace attest {
namespace {

TEST(DataVerdict, IsSpelledAsTheCommandLineSpellsIt) {
    EXPECT_EQ(to_string(data_verdict(RankVerdict::full_rank)), "determined");
    EXPECT_EQ(to_string(data_verdict(RankVerdict::deficient)), "not_determined");
    EXPECT_EQ(to_string(data_verdict(RankVerdict::undecided)), "undecided");
    EXPECT_EQ(to_string(DataVerdict::numerically_full_rank), "numerically_full_rank");
    EXPECT_EQ(to_string(DataVerdict::numerically_deficient), "numerically_deficient");
}

TEST(HeadsForEveryFunction, AreAsManyAsTheOutputsNeedAndNeverMoreThanThePairs) {
    Dataset data = test::scalars(Matrix::Zero(1, 1));
    data.tokens = Matrix::Zero(4, 1);

    EXPECT_EQ(heads_for_every_function(data), 10) << "d(d+1)/2 without labels";
    data.y = Matrix::Zero(2, 1);
    EXPECT_EQ(heads_for_every_function(data), 8) << "o d";
    data.y = Matrix::Zero(3, 1);
    EXPECT_EQ(heads_for_every_function(data), 10) << "o d = 12 is more than enough";
}

}  // namespace
}  // namespace attest

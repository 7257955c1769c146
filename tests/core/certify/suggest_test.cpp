#include "core/certify/suggest.hpp"

#include "core/certify/numerical/spectrum.hpp"
#include "core/certify/rank/exact_rank.hpp"
#include "tests/support/problems.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace attest {
namespace {

Dataset seeded_inputs(Index d, Index N, Index n, std::uint64_t seed) {
    return test::planted_dataset({d, 1, {}}, N, n, Stream(seed));
}

TEST(Suggest, EveryChoiceRaisesTheRankUntilTheDataAreCertified) {
    const Dataset data = seeded_inputs(2, 20, 1, 111);  // rank 4 of 6
    const Dataset pool = seeded_inputs(2, 9, 2, 112);
    const DatasetSource candidates(pool);

    const std::vector<Suggestion> chosen =
        suggest_examples(triangular_factor(DatasetSource(data)), candidates, 3);

    ASSERT_EQ(chosen.size(), 3U);
    EXPECT_EQ(chosen[0].rank, 5);
    EXPECT_EQ(chosen[1].rank, 6);
    EXPECT_GT(chosen[1].lambda_min, 0.0);
    EXPECT_GT(chosen[2].lambda_min, 0.0);
    const Dataset completed = concatenate(concatenate(data, subset(pool, chosen[0].candidate, 1)),
                                          subset(pool, chosen[1].candidate, 1));
    EXPECT_EQ(certify_rank(completed).verdict, RankVerdict::full_rank);
    EXPECT_EQ(certify_rank(data).verdict, RankVerdict::deficient);
}

TEST(Suggest, BeginsWithTheCandidateThatLeavesTheRowSpaceMost) {
    const Dataset data = seeded_inputs(2, 20, 1, 117);
    const Dataset pool = seeded_inputs(2, 9, 2, 118);
    const TriangularFactor factor = triangular_factor(DatasetSource(data));

    const double best = suggest_examples(factor, DatasetSource(pool), 1).at(0).outside;

    for (Index i = 0; i < 9; ++i) {
        const Dataset alone = subset(pool, i, 1);
        EXPECT_LE(suggest_examples(factor, DatasetSource(alone), 1).at(0).outside, best);
    }
}

TEST(Suggest, TakesTheLargestLeverageOnceNothingRaisesTheRank) {
    const Dataset data = seeded_inputs(2, 20, 1, 111);  // one token: rank 4 of 6
    Dataset pool = seeded_inputs(2, 9, 1, 121);
    pool.tokens.own().col(3) *= 10.0;

    const Suggestion best =
        suggest_examples(triangular_factor(DatasetSource(data)), DatasetSource(pool), 1).at(0);

    EXPECT_EQ(best.candidate, 3);
    EXPECT_EQ(best.outside, 0.0) << "what is left is rounding";
    EXPECT_EQ(best.rank, 4);
}

TEST(Suggest, ReportsTheSpectrumAndLeverageOfTheDataWithEveryChoiceAdded) {
    const Dataset pool = seeded_inputs(2, 9, 2, 120);
    Dataset data = seeded_inputs(2, 20, 2, 119);
    const std::vector<Suggestion> chosen =
        suggest_examples(triangular_factor(DatasetSource(data)), DatasetSource(pool), 3);

    ASSERT_EQ(chosen.size(), 3U);
    for (const Suggestion& one : chosen) {
        const Dataset added = subset(pool, one.candidate, 1);
        const TriangularFactor before = triangular_factor(DatasetSource(data));
        const double leverage = NumericalLeverage(before).of(DatasetSource(added))(0);
        data = concatenate(data, added);
        const NumericalSpectrum after = numerical_spectrum(triangular_factor(DatasetSource(data)));
        // Both factors are backward stable: σ_min is off by 30·ψ·ε·σ_max at most, and so are its
        // square and the leverage relatively by twice that over σ_min. N/(N+1) off is 5 %.
        const double condition = after.sigma(0) / after.sigma(5);
        const double relative = 2.0 * 30.0 * 6.0 * 0x1p-52 * condition;
        ASSERT_LT(relative, 1e-3) << "the comparison says something";
        EXPECT_LT(std::abs(one.lambda_min / after.lambda_min - 1.0), relative);
        EXPECT_LT(std::abs(one.leverage / leverage - 1.0), relative);
    }
}

TEST(Suggest, UselessCandidatesDoNotRaiseTheRank) {
    const Dataset data = seeded_inputs(2, 20, 1, 113);
    const Dataset pool = seeded_inputs(2, 2, 1, 114);  // single tokens again

    for (const Suggestion& one :
         suggest_examples(triangular_factor(DatasetSource(data)), DatasetSource(pool), 5)) {
        EXPECT_EQ(one.rank, 4);
        EXPECT_EQ(one.lambda_min, 0.0);
    }
}

TEST(Suggest, RefusesAPoolOfAnotherDimension) {
    const Dataset data = seeded_inputs(2, 20, 1, 115);
    const Dataset pool = seeded_inputs(3, 2, 1, 116);
    EXPECT_THROW(
        (void)suggest_examples(triangular_factor(DatasetSource(data)), DatasetSource(pool), 1),
        InvalidInput);
}

}  // namespace
}  // namespace attest

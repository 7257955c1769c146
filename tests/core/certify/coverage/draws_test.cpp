#include "core/certify/coverage/draws.hpp"

#include "proofs_check/exact/example_sets.hpp"
#include "tests/support/problems.hpp"
#include "tests/support/process_settings.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>

namespace attest {
namespace {

/// Tokens of two coordinates, in twos and threes on a line, one alone: no two of them are the same.
Dataset small_data() {
    return sequences({Matrix{{1}, {0}},
                      Matrix{{2}, {0}},
                      Matrix{{0}, {1}},
                      Matrix{{0}, {-1}},
                      Matrix{{0}, {2}},
                      Matrix{{1}, {1}},
                      Matrix{{2}, {2}},
                      Matrix{{1}, {-1}}});
}

Dataset members_of(const Dataset& data, std::uint64_t set) {
    std::vector<Index> members;
    for (Index i = 0; i < data.num_sequences(); ++i) {
        if ((set >> static_cast<unsigned>(i) & 1U) == 1U) {
            members.push_back(i);
        }
    }
    return select_sequences(data, members);
}

/// Of all subsets of m examples those of the same rank, one certificate each.
double share_by_counting(const Dataset& data, int m) {
    const Index rank = certify_rank(data).rank_lower;
    double subsets = 0.0;
    double spanning = 0.0;
    for (std::uint64_t set = 1; set < std::uint64_t{1} << data.num_sequences(); ++set) {
        if (std::popcount(set) == m) {
            subsets += 1.0;
            spanning += certify_rank(members_of(data, set)).rank_lower == rank ? 1.0 : 0.0;
        }
    }
    return spanning / subsets;
}

TEST(SpanningShare, IsInTheMeanThatOfAllSubsets) {
    const Dataset data = small_data();
    const ExactRank rank = certify_rank(data);
    const std::vector<Index> sizes{7, 6, 5, 4, 3};
    constexpr Index kWalks = 4000;
    // Weights lie in [0, 1]: Hoeffding (1963) at 1e-6 for five means, on both sides.
    const double allowance = std::sqrt(std::log(1e7) / (2.0 * kWalks));

    const std::vector<double> logs = spanning_log_shares(
        DrawSpans(SequencesInMemory(data), rank.profile), sizes, kWalks, Stream(1));

    for (std::size_t k = 0; k < sizes.size(); ++k) {
        const double truth = share_by_counting(data, static_cast<int>(sizes[k]));
        EXPECT_NEAR(std::exp(logs[k]), truth, allowance) << sizes[k] << " of 8";
        EXPECT_EQ(truth > 0.0, sizes[k] >= rank.rank_lower);
    }
}

TEST(SpanningShare, OfDataOfRankZeroIsOne) {
    const Dataset data = sequences({Matrix{{0}}, Matrix{{0}}, Matrix{{0}}});
    const SequencesInMemory source(data);
    const DrawSpans spans(source, certify_rank(data).profile);
    EXPECT_EQ(spanning_log_shares(spans, {2, 1}, 1, Stream(1)), std::vector<double>(2, 0.0));
}

TEST(SpanningShare, IsTheSameWhetherTheRowsAreKept) {
    const Dataset data =
        test::planted_dataset(test::normal_parameters(2, 1, 1, Stream(1)), 2000, 3, Stream(2));
    const SequencesInMemory source(data);
    const RankProfile profile = certify_rank(data).profile;
    const std::vector<Index> sizes{1500, 1000, 10};
    const auto log_shares = [&] {
        return spanning_log_shares(DrawSpans(source, profile), sizes, 2, Stream(3));
    };
    const std::vector<double> kept = log_shares();
    EXPECT_FALSE(std::isinf(kept.front()));

    const test::MemoryLimit limit(200'000);  // they take 2000·6 numbers
    EXPECT_EQ(log_shares(), kept);
}

TEST(SpanningShare, ShareHoldingGivenOnesIsABinomialQuotient) {
    EXPECT_DOUBLE_EQ(std::exp(log_share_holding(10, 4, 2)), 6.0 / 45.0) << "C(4,2)/C(10,2)";
    EXPECT_EQ(log_share_holding(10, 4, 0), 0.0);
    EXPECT_EQ(log_share_holding(10, 4, 5), -HUGE_VAL);
    EXPECT_EQ(log_share_holding(10, 10, 10), 0.0);
}

}  // namespace
}  // namespace attest

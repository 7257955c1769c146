#include "bench/experiments/text/meeting_bound.hpp"

#include "bench/experiments/text/spans.hpp"
#include "core/rng/sample.hpp"

#include <gtest/gtest.h>

namespace attest {
namespace {

/// Sequences of these columns of `types`, the last of which asks.
Dataset sequences_of(const Matrix& types, const std::vector<std::vector<Index>>& lists) {
    Dataset data;
    Index total = 0;
    data.offsets.push_back(0);
    for (const std::vector<Index>& list : lists) {
        total += std::ssize(list);
        data.offsets.push_back(total);
    }
    Matrix tokens(types.rows(), total);
    Index at = 0;
    for (const std::vector<Index>& list : lists) {
        for (const Index type : list) {
            tokens.col(at++) = types.col(type);
        }
    }
    data.tokens = std::move(tokens);
    return data;
}

TEST(MeetingBound, CountsWhatEachTypeMeets) {
    // e1 and e2 ask; e1 meets both, e2 meets both, e3 meets e1 alone: 2·2 + 1 of the 3·2 products.
    const Dataset data =
        sequences_of(Matrix::Identity(3, 3), {{0}, {1, 0}, {2, 0}, {1}, {0, 1}, {0, 0, 1}});
    const MeetingBound bound = meeting_bound(data, token_types(data.tokens.view()), 2);
    EXPECT_EQ(bound.few, 1);
    EXPECT_EQ(bound.rank, 5);
}

TEST(MeetingBound, TypesThatOnlyComeTogetherCountOnce) {
    // e3 and e4 always stand side by side: one direction beside e1's two.
    const Dataset data =
        sequences_of(Matrix::Identity(4, 4), {{0}, {2, 3, 0}, {2, 3, 2, 3, 0}, {0, 1}, {1}});
    const MeetingBound bound = meeting_bound(data, token_types(data.tokens.view()), 2);
    EXPECT_EQ(bound.few, 3);
    // e1 meets e1 and e2: 2·1. Asked by e1: e3 + e4. Asked by e2: e2.
    EXPECT_EQ(bound.rank, 4);
    const FeatureSpans spans = feature_spans(data);
    EXPECT_EQ(spans.features.lower, 4);
    EXPECT_TRUE(spans.features.is_exact());
}

/// Windows of four of 24 types, of which the last eight stand before one query only.
Dataset lopsided(Index d, std::uint64_t seed) {
    const Matrix types = grid_matrix(grid_normal(), d, 24, Stream(seed).child("types"));
    Draws draws{Stream(seed).child("draws")};
    std::vector<std::vector<Index>> lists;
    for (Index i = 0; i < 600; ++i) {
        std::vector<Index> list;
        for (Index t = 0; t < 4; ++t) {
            list.push_back(static_cast<Index>(draws.below(16)));
        }
        list.front() = i % 3 == 0 ? 16 + static_cast<Index>(draws.below(8)) : list.front();
        list.back() = list.front() >= 16 ? list.front() - 16 : list.back();
        lists.push_back(list);
    }
    return sequences_of(types, lists);
}

TEST(MeetingBound, IsNeverBelowTheRank) {
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
        for (const Index d : {2, 3, 5, 7}) {
            const Dataset data = lopsided(d, seed);
            const FeatureSpans spans = feature_spans(data);
            const MeetingBound bound =
                meeting_bound(data, token_types(data.tokens.view()), spans.queries.upper);
            EXPECT_GE(bound.rank, spans.features.lower) << d << ' ' << seed;
        }
    }
}

TEST(MeetingBound, DecidesWhereTheProductDoesNot) {
    // d = 7: 16 types that meet all span 16 of 28 squares; eight meet one query each.
    const FeatureSpans spans = feature_spans(lopsided(7, 1), {0.0});
    EXPECT_EQ(spans.product(), 24 * 7);
    EXPECT_EQ(spans.few_meetings, 8);
    EXPECT_EQ(spans.features.lower, 16 * 7 + 8);
    EXPECT_TRUE(spans.features.is_exact());
}

}  // namespace
}  // namespace attest

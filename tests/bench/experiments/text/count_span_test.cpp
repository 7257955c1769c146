#include "bench/experiments/text/count_span.hpp"

#include "core/exact/rational.hpp"
#include "core/rng/stream.hpp"

#include <gtest/gtest.h>

namespace attest {
namespace {

using Rows = std::vector<std::vector<Index>>;

/// Rank over Q by plain elimination: shares nothing with CountSpan.
Index plain_rank(const Rows& rows) {
    std::vector<std::vector<Rational>> A;
    for (const std::vector<Index>& row : rows) {
        A.emplace_back(row.begin(), row.end());
    }
    std::size_t rank = 0;
    for (std::size_t j = 0; !A.empty() && j < A.front().size() && rank < A.size(); ++j) {
        std::size_t at = rank;
        while (at < A.size() && A[at][j] == 0) {
            ++at;
        }
        if (at == A.size()) {
            continue;
        }
        std::swap(A[at], A[rank]);
        for (std::size_t i = rank + 1; i < A.size(); ++i) {
            const Rational factor = A[i][j] / A[rank][j];
            for (std::size_t k = j; k < A[i].size(); ++k) {
                A[i][k] -= factor * A[rank][k];
            }
        }
        ++rank;
    }
    return static_cast<Index>(rank);
}

/// Counts of three words out of `columns`.
Rows random_counts(Index number, Index columns, const Stream& stream) {
    Draws draws(stream);
    Rows rows;
    for (Index i = 0; i < number; ++i) {
        rows.emplace_back(static_cast<std::size_t>(columns), 0);
        for (int t = 0; t < 3; ++t) {
            ++rows.back()[draws.below(static_cast<std::uint64_t>(columns))];
        }
    }
    return rows;
}

CountSpan span_of(const Rows& rows, Index columns) {
    CountSpan span(columns);
    for (const std::vector<Index>& row : rows) {
        span.add(row);
    }
    return span;
}

TEST(CountSpan, DecidesByHand) {
    const CountSpan span = span_of({{1, 2}, {2, 4}}, 2);
    EXPECT_EQ(span.rank(), 1);
    EXPECT_EQ(span.outside(), 0);
    EXPECT_TRUE(span.contains({3, 6}));
    EXPECT_FALSE(span.contains({3, 5}));
    // (0,3) is in no relation with the others, so it is outside their span.
    EXPECT_EQ(span_of({{1, 2}, {0, 3}, {2, 4}}, 2).outside(), 1);
}

TEST(CountSpan, AgreesWithRationalElimination) {
    for (Index trial = 0; trial < 60; ++trial) {
        const Stream stream = Stream(7).child(trial);
        const Index columns = 2 + trial % 6;
        const Rows rows = random_counts(1 + trial % 9, columns, stream.child("rows"));
        const CountSpan span = span_of(rows, columns);
        ASSERT_EQ(span.rank(), plain_rank(rows));
        Index outside = 0;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            Rows others = rows;
            others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
            outside += plain_rank(others) < plain_rank(rows) ? 1 : 0;
        }
        EXPECT_EQ(span.outside(), outside);
        for (const std::vector<Index>& fresh : random_counts(9, columns, stream.child("fresh"))) {
            Rows more = rows;
            more.push_back(fresh);
            EXPECT_EQ(span.contains(fresh), plain_rank(more) == plain_rank(rows));
        }
    }
}

}  // namespace
}  // namespace attest

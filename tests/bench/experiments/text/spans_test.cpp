#include "bench/experiments/text/spans.hpp"

#include "core/exact/float_product.hpp"
#include "core/exact/scalars.hpp"
#include "core/rng/sample.hpp"
#include "core/rng/stream.hpp"
#include "tests/support/error_message.hpp"

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

/// `count` windows of n tokens drawn from the columns of `types`.
Dataset draws_of(const Matrix& types, Index n, Index count, std::uint64_t seed) {
    Draws draws{Stream(seed)};
    Dataset data;
    data.tokens.own().resize(types.rows(), n * count);
    data.offsets.push_back(0);
    for (Index t = 0; t < data.tokens.cols(); ++t) {
        data.tokens.own().col(t) =
            types.col(static_cast<Index>(draws.below(static_cast<std::uint64_t>(types.cols()))));
    }
    for (Index i = 1; i <= count; ++i) {
        data.offsets.push_back(i * n);
    }
    return data;
}

TEST(FeatureSpans, OneHotTokensSpanTheirSquaresTimesTheirQueries) {
    const FeatureSpans spans = feature_spans(draws_of(Matrix::Identity(4, 4), 3, 400, 1));
    EXPECT_EQ(spans.num_types, 4);
    EXPECT_EQ(spans.types.lower, 4);
    EXPECT_TRUE(spans.types.is_exact());
    EXPECT_EQ(spans.queries.lower, 4);
    EXPECT_EQ(spans.features.lower, 16);
    EXPECT_TRUE(spans.features.is_exact());
    EXPECT_EQ(spans.product(), 16);
}

TEST(FeatureSpans, ManyTypesHaveFullRank) {
    const Matrix types = grid_matrix(grid_normal(), 3, 20, Stream(2));
    const FeatureSpans spans = feature_spans(draws_of(types, 4, 200, 3));
    EXPECT_EQ(spans.product(), feature_dim(3));
    EXPECT_EQ(spans.features.lower, feature_dim(3));
    EXPECT_TRUE(spans.features.is_exact());
}

TEST(FeatureSpans, TheProductIsABoundAndNotALaw) {
    // Sequences of one token: S = z zᵀ obeys S_12 z_1 = S_11 z_2.
    const Matrix types = grid_matrix(grid_normal(), 2, 30, Stream(4));
    const FeatureSpans spans = feature_spans(draws_of(types, 1, 200, 5));
    EXPECT_EQ(spans.product(), 6);
    EXPECT_EQ(spans.features.lower, 4);
    // Proved by two null vectors, not by the product.
    EXPECT_TRUE(spans.features.is_exact());
}

TEST(FeatureSpans, WithoutEffortTheRankStaysBetweenItsBounds) {
    const Matrix types = grid_matrix(grid_normal(), 2, 30, Stream(4));
    const FeatureSpans spans = feature_spans(draws_of(types, 1, 200, 5), {0.0});
    EXPECT_EQ(spans.features.lower, 4);
    EXPECT_EQ(spans.features.upper, spans.product());
    EXPECT_FALSE(spans.features.is_exact());
}

TEST(ColumnSpan, TriesAnotherPrimeWhereTheFirstSeesLess) {
    // 2³⁰ times the entry is the fast prime itself.
    const Matrix rows{{static_cast<double>(kFloatPrime) * 0x1p-30}};
    EXPECT_EQ(column_span(rows).rank.lower, 1);
}

TEST(FeatureSpans, AConstantAtOneLengthTakesRankFromTheStates) {
    Dataset data = draws_of(grid_matrix(grid_normal(), 3, 40, Stream(6)), 4, 300, 7);
    for (Index t = 0; t < data.tokens.cols(); ++t) {
        data.tokens.own()(1, t) = 1.0;
        data.tokens.own()(2, t) = static_cast<double>(t % 4 + 1) / 4.0;
    }
    const FeatureSpans spans = feature_spans(data);
    // Σ 1, Σ t and Σ t² are the same in every window: three states, one dimension. The query's
    // place and its constant are both 1.
    EXPECT_EQ(spans.types.lower, 6);
    EXPECT_EQ(spans.states.lower, 4);
    EXPECT_TRUE(spans.states.is_exact());
    EXPECT_EQ(spans.queries.lower, 2);
    EXPECT_LE(spans.features.lower, 8);
}

TEST(FeatureSpans, RefusesNumbersOffTheGrid) {
    EXPECT_REFUSED("expected a multiple of 2^-30", column_span(Matrix{{0.1}}));
}

}  // namespace

}  // namespace attest

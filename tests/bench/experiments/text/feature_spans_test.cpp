#include "bench/experiments/text/feature_spans.hpp"

#include "core/exact/float_product.hpp"
#include "core/rng/sample.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>

namespace attest {
namespace {

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
    EXPECT_NE(test::invalid_input_message([] {
                  static_cast<void>(column_span(Matrix{{0.1}}));
              }).find("expected a multiple of 2^-30"),
              std::string::npos);
}

}  // namespace
}  // namespace attest

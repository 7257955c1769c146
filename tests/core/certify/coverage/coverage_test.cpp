#include "core/certify/coverage/coverage.hpp"

#include "core/certify/rank/exact_rank.hpp"
#include "core/layers/parse_layer.hpp"
#include "core/rng/sample.hpp"
#include "proofs_check/exact/example_sets.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/layer_examples.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

namespace attest {
namespace {

/// Sequences that the others do not determine, one rank each without it.
Index outside_by_leaving_out(const Dataset& data) {
    const Index rank = certify_rank(data).rank_lower;
    Index count = 0;
    for (Index left_out = 0; left_out < data.num_sequences(); ++left_out) {
        std::vector<Index> others(static_cast<std::size_t>(data.num_sequences() - 1));
        std::iota(others.begin(), others.begin() + left_out, Index{0});
        std::iota(others.begin() + left_out, others.end(), left_out + 1);
        const Dataset rest = select_sequences(data, others);
        count += certify_rank(rest).rank_lower < rank ? 1 : 0;
    }
    return count;
}

TEST(Coverage, CountsTheExamplesThatTheOthersDoNotDetermine) {
    for (const std::string& text : test::layer_texts()) {
        for (const Index count : {2, 7, 15}) {
            for (const Index n : {1, 3}) {
                const Dataset data =
                    test::layer_data({.layer = text, .n = {n, n}, .count = count, .levels = 1});
                const Coverage found = coverage(data, certify_rank(data), 0.9);
                ASSERT_TRUE(found.outside);
                EXPECT_EQ(*found.outside, outside_by_leaving_out(data))
                    << text << ", N = " << count << ", n = " << n;
                EXPECT_LE(*found.outside, found.rank) << "at most rank of them";
            }
        }
    }
}

TEST(Coverage, CountsAsRemovingOneByOneDoesForSixtyExamples) {
    // Six tokens e_j and e_j + e_k of three coordinates, one of them rare: some features are in one
    // example, others in many.
    for (const std::string layer : {"linear", "decay=1/2", "affine"}) {
        for (const Index rare : {0, 1, 2}) {
            std::vector<Matrix> examples;
            for (Index i = 0; i < 60; ++i) {
                Matrix Z = Matrix::Zero(3, 1 + i % 2);
                Z(i < rare ? 2 : 0, 0) = 1.0;
                Z(1, Z.cols() - 1) = static_cast<double>(i % 7 % 2);
                examples.push_back(Z);
            }
            Dataset data = sequences(examples);
            data.layer = layer_named(layer);

            const Coverage found = coverage(data, certify_rank(data), 0.9);

            EXPECT_EQ(found.draws, 60);
            EXPECT_EQ(found.outside, outside_by_leaving_out(data)) << layer << ", " << rare;
        }
    }
}

TEST(Coverage, CountsWholeSequencesWhereEveryPrefixHasALabel) {
    for (const std::string& text : test::layer_texts()) {
        for (const Index count : {2, 7, 15}) {
            const Dataset data = test::layer_data({.layer = text,
                                                   .n = {1, 4},
                                                   .labels = LabelKind::per_prefix,
                                                   .count = count,
                                                   .levels = 1});
            const Coverage found = coverage(data, certify_rank(data), 0.9);
            EXPECT_EQ(found.draws, count);
            EXPECT_EQ(found.outside, outside_by_leaving_out(data)) << text << ", N = " << count;
        }
    }
}

/// Σ_m w_m s_m (1 − ε)^(m − N) over N/16, N/8, N/4, N/2 and 3N/4 draws left out.
double sum_at(double epsilon, Index N, const std::function<double(Index)>& share) {
    const std::vector<std::pair<Index, double>> parts{
        {N / 16, 0.1}, {N / 8, 0.1}, {N / 4, 0.2}, {N / 2, 0.3}, {3 * N / 4, 0.3}};
    double sum = 0.0;
    for (const auto& [out, weight] : parts) {
        sum += weight * share(N - out) * std::pow(1.0 - epsilon, -static_cast<double>(out));
    }
    return sum;
}

TEST(Coverage, BoundsAreThoseOfTheTheorems) {
    const Dataset data = test::layer_data({.layer = "linear", .n = {3, 3}, .count = 400});
    const Coverage found = coverage(data, certify_rank(data), 0.95);
    EXPECT_EQ(found.rank, 6);
    EXPECT_DOUBLE_EQ(found.expected, 6.0 / 401.0);
    EXPECT_EQ(found.outside, 0);
    // A hundred generic examples span what all do: every share is 1. The bound is a root to within
    // rounding, (1 − ε)^−300 to within 300 of them.
    EXPECT_NEAR(0.05 * sum_at(found.at_most, 400, [](Index) { return 1.0; }), 1.0, 600.0 * 1e-16);
}

TEST(Coverage, WeighsExamplesThatBringSomethingOfTheirOwn) {
    // 76 of 80 tokens are e_1, four others are one of a kind: m draws span all if they hold those.
    std::vector<Matrix> tokens(80, Matrix(Matrix::Identity(5, 5).col(0)));
    for (Index j = 1; j < 5; ++j) {
        tokens[static_cast<std::size_t>(17 * j)] = Matrix::Identity(5, 5).col(j);
    }
    const Dataset data = sequences(tokens);
    const Coverage found = coverage(data, certify_rank(data), 0.9);
    EXPECT_EQ(found.outside, 4);
    const auto share = [](Index m) {
        return static_cast<double>(m * (m - 1) * (m - 2) * (m - 3)) / (80.0 * 79.0 * 78.0 * 77.0);
    };
    // As above with (1 − ε)^−60.
    EXPECT_NEAR(0.1 * sum_at(found.at_most, 80, share), 1.0, 120.0 * 1e-16);
}

TEST(Coverage, TheFewestDrawsAreThoseAtWhichTheBoundReachesIt) {
    const Index draws = draws_for_coverage(6, 0.1, 0.95);
    EXPECT_LE(coverage_bound(draws, 6, 0.95), 0.1);
    EXPECT_GT(coverage_bound(draws - 1, 6, 0.95), 0.1);
    EXPECT_EQ(coverage_bound(6, 6, 0.95), 1.0) << "nothing is left to be spanned by six";
}

TEST(Coverage, TakesTheLeastShareWhereTheRankIsNotProved) {
    const Dataset data = test::layer_data({.layer = "linear", .n = {3, 3}, .count = 400});
    ExactRank rank = certify_rank(data);
    rank.rank_lower = 5;
    const Coverage found = coverage(data, rank, 0.95);
    EXPECT_EQ(found.at_most, coverage_bound(400, 6, 0.95));
    EXPECT_FALSE(found.outside);
}

TEST(Coverage, SaysNothingWhereThereAreTooFewDraws) {
    const Dataset data =
        test::layer_data({.layer = "linear", .n = {3, 3}, .count = 5, .levels = 0});
    const Coverage found = coverage(data, certify_rank(data), 0.95);
    EXPECT_EQ(found.at_most, 1.0);
    EXPECT_EQ(found.expected, 1.0);
    EXPECT_EQ(found.outside, 5);
}

TEST(Coverage, RefusesAConfidenceOfOne) {
    const Dataset data = test::layer_data({.layer = "linear"});
    EXPECT_REFUSED("coverage: got the confidence 1", coverage(data, certify_rank(data), 1.0));
}

TEST(RankGrowth, IsTheRankOfEveryPrefixOfTheOrder) {
    for (const std::string& text : test::layer_texts()) {
        for (const LabelKind labels : {LabelKind::per_sequence, LabelKind::per_prefix}) {
            const Dataset data = test::layer_data(
                {.layer = text, .n = {1, 3}, .labels = labels, .count = 14, .levels = 1});
            const Stream stream(5);
            const RankGrowth growth = rank_growth(data, 1, stream).front();
            const std::vector<Index> order = random_permutation(14, stream.child("order").child(0));
            for (Index k = 1; k <= 14; ++k) {
                const Dataset first =
                    select_sequences(data, std::span(order).first(static_cast<std::size_t>(k)));
                EXPECT_EQ(growth.ranks[static_cast<std::size_t>(k)], certify_rank(first).rank_lower)
                    << text << ", " << k << " draws";
            }
        }
    }
}

TEST(RankGrowth, KnowsWhenItEndsAndHowOftenItGrows) {
    const RankGrowth growth{{0, 1, 2, 2, 3, 3, 3}};
    EXPECT_EQ(growth.num_draws(), 6);
    EXPECT_EQ(growth.reached_at(), 4);
    const RankGrowth other{{0, 2, 2, 2, 2, 2, 3}};
    EXPECT_EQ(mean_outside({growth, other}),
              (std::vector<double>{0.0, 1.0, 1.5, 1.5, 2.0, 2.0, 2.5}));
}

}  // namespace

}  // namespace attest

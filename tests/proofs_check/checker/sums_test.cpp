#include "proofs_check/checker/sums.hpp"

#include <gtest/gtest.h>

namespace attest::checker {
namespace {

using Row1 = std::vector<Rational>;

/// Tokens 2, 3, 5 in one sequence, d = 1, with all that a layer may read of them.
Dataset three_numbers() {
    Dataset data;
    data.d = 1;
    data.offsets = {0, 3};
    data.tokens = {2, 3, 5};
    data.num_examples = 1;
    data.x = {2, {7, 11}};
    data.phi = {2, {1, 0, 0, 1, 1, 1}};
    data.gates = {1, {99, 0.5, 4}};
    data.keys = {2, {1, 0, 1, 1, 0, 1}};
    data.beta = {1, {1, 0.5, 0.25}};
    return data;
}

/// Tokens (1, 2), (3, 4) in one sequence, with gates for each key.
Dataset pairs() {
    Dataset data;
    data.d = 2;
    data.offsets = {0, 2};
    data.tokens = {1, 2, 3, 4};
    data.num_examples = 1;
    data.gates = {2, {99, 99, 10, 0.5}};
    return data;
}

/// The features of an example, divided by the scale of the table.
Row1 features(const std::string& text, const Dataset& data, Index example = 0) {
    const Dataset queries;
    const Table table{data, queries, parse_layer(text).value()};
    const Row row = table.row(example);
    Row1 values;
    for (Index k = 0; k < table.psi; ++k) {
        values.push_back(Rational(row.entry(k)) / Rational(table.scale()));
    }
    return values;
}

TEST(Sums, WeighTokensByTheirDistanceFromTheLast) {
    const Dataset data = three_numbers();

    // 25, 9, 4 at distances 0, 1, 2; the query token is 5.
    EXPECT_EQ(features("decay=1,1/3", data), (Row1{190, Rational(5 * (225 + 27 + 4), 9)}));
    EXPECT_EQ(features("window=1,2,9", data), (Row1{125, 170, 190}));
    EXPECT_EQ(features("lags=1", data), (Row1{125, 65}));
    EXPECT_EQ(features("lags=4", data), (Row1{125, 45, 20, 0, 0}));
    EXPECT_EQ(features("table=0:1/7:-1,2", data), (Row1{Rational(45, 7) - 20, 250}));
    EXPECT_EQ(features("decay=1/2 window=1 decay=1", data),
              (Row1{5 * (25 + Rational(9, 2) + 1), 125, 190}));
}

/// M is (2, 0), then + (3 − 2)/2·(1, 1), then + (5 − 1/2)/4·(0, 1); gated (2, 0), (1, 0) + (3 −
/// 1)/2· (1, 1), (8, 4) + (5 − 4)/4·(0, 1).
TEST(Sums, KeepWhatADeltaRuleDoesNotForget) {
    const Dataset data = three_numbers();
    const Rational second(13, 8);

    EXPECT_EQ(features("delta", data), (Row1{Rational(25, 2), 5 * second}));
    EXPECT_EQ(features("delta cross", data),
              (Row1{Rational(35, 2), Rational(55, 2), 7 * second, 11 * second}));
    EXPECT_EQ(features("delta gates", data), (Row1{40, Rational(85, 4)}));
}

TEST(Sums, MultiplyByTheGatesOfLaterTokens) {
    EXPECT_EQ(features("gates", three_numbers()), (Row1{5 * ((4 * Rational(1, 2) + 9) * 4 + 25)}));
    // Summands [1 2; 2 4] and [9 12; 12 16]; column 0 of the first times 10, column 1 times 1/2.
    EXPECT_EQ(features("gates=vector", pairs()),
              (Row1{19 * 3, 19 * 4, 13 * 3, 13 * 4, 32 * 3, 32 * 4, 18 * 3, 18 * 4}));
}

TEST(Sums, OfMappedTokensAreProductsOfTokenAndMap) {
    // Σ z φᵀ = 2·(1, 0) + 3·(0, 1) + 5·(1, 1) = (7, 8); the query token's map is (1, 1).
    EXPECT_EQ(features("mapped", three_numbers()), (Row1{7, 7, 8, 8}));
    EXPECT_EQ(features("mapped window=1", three_numbers()), (Row1{5, 5, 5, 5}));
}

TEST(Sums, AffinePutsAOneBeforeTheTokensAndBehindTheSums) {
    // z̃ = (1, z): pair Σ z = 10, squares 3 and 38; then 1. u = (1, 5).
    EXPECT_EQ(features("affine", three_numbers()), (Row1{10, 50, 3, 15, 38, 190, 1, 5}));
    EXPECT_EQ(features("window=1 affine", three_numbers()), (Row1{5, 25, 1, 5, 25, 125, 1, 5}));
    // Halved at each step the sums are 7, 7/4 and 61/2; the 1 behind them stays.
    EXPECT_EQ(
        features("decay=1/2 affine", three_numbers()),
        (Row1{7, 35, Rational(7, 4), Rational(35, 4), Rational(61, 2), Rational(305, 2), 1, 5}));
}

TEST(Sums, OfAContextAreAskedByX) {
    EXPECT_EQ(features("cross", three_numbers()), (Row1{38 * 7, 38 * 11}));
    EXPECT_EQ(features("cross affine", three_numbers()),
              (Row1{10, 70, 110, 3, 21, 33, 38, 38 * 7, 38 * 11, 1, 7, 11}));
}

TEST(Sums, OfADegreeAreMonomialsBlockAfterBlock) {
    // Degree 0: Σ z · 1. Degree 1: Σ z² · 5. Degree 2: Σ z³ · 25.
    EXPECT_EQ(features("degree=0..2", three_numbers()), (Row1{10, 190, 160 * 25}));
    // Tokens (1, 2), (3, 4): z0z0 10, z0z1 14, z1z1 20, times (3, 4).
    EXPECT_EQ(features("degree=1", pairs()), (Row1{30, 40, 42, 56, 60, 80}));
    EXPECT_EQ(features("degree=0", pairs()), (Row1{4, 6}));
}

TEST(Sums, OfMomentsAreTheDatas) {
    Dataset data;
    data.offsets = {0, 1, 2};
    data.num_examples = 2;
    data.s = {2, {1, 2, 3, 0.5}};
    data.u = {3, {1, 0, 0, 1, 1, -0.25}};

    EXPECT_EQ(features("moments", data), (Row1{1, 0, 0, 2, 0, 0}));
    EXPECT_EQ(features("moments", data, 1),
              (Row1{3, 3, Rational(-3, 4), Rational(1, 2), Rational(1, 2), Rational(-1, 8)}));
}

TEST(Sums, EndAtEachPrefix) {
    Dataset data = three_numbers();
    data.prefixes = true;
    data.num_examples = 3;

    EXPECT_EQ(features("decay=1/2", data, 0), (Row1{8}));
    EXPECT_EQ(features("decay=1/2", data, 1), (Row1{33}));
    EXPECT_EQ(features("lags=1", data, 1), (Row1{27, 12}));
    EXPECT_EQ(features("gates", data, 1), (Row1{33}));
}

TEST(Table, OfALayerHoldsLabelsOnTheScaleOfItsFeatures) {
    Dataset data = three_numbers();
    data.o = 1;
    data.y = {0.125};
    const Dataset queries;
    const Table table{data, queries, parse_layer("decay=1/3").value()};

    // Nine times the features for the two steps of the decay; labels are multiples of 2^-3.
    EXPECT_EQ(table.scale(), 72);
    EXPECT_EQ(table.row(0).entry(1), 9);
}

}  // namespace
}  // namespace attest::checker

#include "core/certify/rank/structural_rank.hpp"

#include "core/certify/rank/exact_rank.hpp"
#include "core/layers/polynomial.hpp"
#include "tests/support/layer_examples.hpp"
#include "tests/support/problems.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace attest {
namespace {

StructuralRank rank_of(const std::string& layer, Index d, const std::vector<InputKind>& kinds) {
    const Dataset data = test::layer_data({.layer = layer, .d = d, .count = 1});
    return structural_rank(data.layer, data.layer_input(), kinds).value();
}

std::vector<InputKind> length(Index n) {
    return {{n, n - 1}};
}

Index choose(Index n, Index k) {
    return k == 0 ? 1 : choose(n - 1, k - 1) * n / k;
}

TEST(StructuralRank, OfSingleTokensIsTheNumberOfCubicMonomials) {
    for (Index d = 1; d <= 5; ++d) {
        const StructuralRank found = rank_of("linear", d, length(1));
        EXPECT_TRUE(found.is_exact);
        EXPECT_EQ(found.rank, choose(d + 2, 3)) << "d = " << d;
        EXPECT_EQ(rank_of("linear", d, length(2)).rank, feature_dim(d)) << "two tokens";
    }
}

/// r·d·d(d+1)/2 with r = rank of (κ_g(δ)), δ = 1 … n−1, and C(d+2, 3) more where κ(0) does not lie
/// in its row space.
TEST(StructuralRank, OfDecayBanksIsThatOfTheirKernels) {
    for (const Index d : {2, 3}) {
        const Index each = feature_dim(d);
        const Index last = choose(d + 2, 3);
        EXPECT_EQ(rank_of("decay=1,1/2", d, length(1)).rank, last);
        EXPECT_EQ(rank_of("decay=1,1/2", d, length(2)).rank, each + last) << "r = 1, (1,1) outside";
        EXPECT_EQ(rank_of("decay=1,1/2", d, length(3)).rank, 2 * each);
        EXPECT_EQ(rank_of("decay=1,1/2", d, length(9)).rank, 2 * each);
        EXPECT_EQ(rank_of("decay=1/2,1/2", d, length(9)).rank, each) << "equal decays, never";
        EXPECT_EQ(rank_of("decay=1,1/2,1/4", d, length(3)).rank, 2 * each + last);
    }
}

TEST(StructuralRank, OfBiasesNeedsTwoLengths) {
    for (const Index d : {1, 2, 3}) {
        const StructuralRank one = rank_of("affine", d, length(4));
        EXPECT_EQ(one.psi - one.rank, d + 1) << "n times the constant is in the sum";
        EXPECT_TRUE(one.is_exact);
        EXPECT_EQ(std::ssize(one.identities.vectors), d + 1);
        const StructuralRank two = rank_of("affine", d, {{4, 3}, {5, 4}});
        EXPECT_EQ(two.rank, two.psi);
    }
}

/// A token alone is asked by itself, z_j z_l times every entry of its key; two need no more.
TEST(StructuralRank, OfADeltaRuleIsFullFromTwoTokensOn) {
    for (const std::string layer : {"delta", "delta gates", "delta gates=vector"}) {
        for (const Index d : {1, 2, 3}) {
            const Index keys = 2;  // of layer_data
            EXPECT_EQ(rank_of(layer, d, length(1)).rank, keys * d * (d + 1) / 2) << layer;
            EXPECT_EQ(rank_of(layer, d, length(2)).rank, keys * d * d) << layer;
            EXPECT_EQ(rank_of(layer, d, length(500)).rank, keys * d * d) << layer;
            EXPECT_EQ(rank_of(layer, d, {{3, 0}}).rank, keys * d * d) << layer;
        }
    }
    EXPECT_EQ(all_kinds(layer_named("delta"))->size(), 3U);
}

/// All keys orthogonal to (2, −1): no state has anything under it, so M·(2, −1)ᵀ ⊗ u is lost.
TEST(StructuralRank, OfADeltaRuleIsNotThatOfDataWhoseKeysLieOnALine) {
    for (const std::string layer : {"delta", "delta gates"}) {
        Dataset data =
            test::layer_data({.layer = layer, .d = 2, .n = {3, 3}, .count = 30, .levels = 9});
        EXPECT_EQ(certify_rank(data).rank_lower, 8) << layer;
        data.columns.keys.row(1) = 2.0 * data.columns.keys.row(0);
        data.columns.beta *= 0.125;
        const ExactRank rank = certify_rank(data);
        EXPECT_EQ(rank.rank_lower, 4) << layer;
        ASSERT_TRUE(rank.rank_is_exact());
        ASSERT_EQ(rank.null_space.vectors.size(), 4U);
        MatrixOf<Rational> lost = MatrixOf<Rational>::Zero(8, 4);  // 2 M_j0 u_l − M_j1 u_l
        for (Index j = 0; j < 2; ++j) {
            for (Index l = 0; l < 2; ++l) {
                lost(4 * j + l, 2 * j + l) = 2;
                lost(4 * j + 2 + l, 2 * j + l) = -1;
            }
        }
        EXPECT_EQ(MatrixOf<Rational>(test::features_by_definition(data) * lost),
                  MatrixOf<Rational>(MatrixOf<Rational>::Zero(30, 4)));
        const auto whole = structural_rank(data.layer, data.layer_input(), input_kinds(data));
        EXPECT_EQ(whole->rank, 8) << "the data leave more open than the layer does";
    }
}

TEST(StructuralRank, IsTheRankOfEnoughRandomData) {
    for (const std::string& text : test::layer_texts()) {
        for (Index n = 1; n <= 4; ++n) {
            const Index psi =
                test::layer_data({.layer = text, .n = {n, n}, .count = 1}).layout().psi();
            const Dataset data =
                test::layer_data({.layer = text, .n = {n, n}, .count = psi + 20, .levels = 50});
            const StructuralRank found =
                structural_rank(data.layer, data.layer_input(), input_kinds(data)).value();
            const bool dyadic_gates = data.layer.gates != GateForm::none;
            // Recorded gates are drawn from eight values, too few for their products to be generic.
            EXPECT_GE(found.rank, certify_rank(data).rank_lower) << text << ", n = " << n;
            if (!dyadic_gates) {
                EXPECT_EQ(found.rank, certify_rank(data).rank_lower) << text << ", n = " << n;
            }
        }
    }
}

/// Longer inputs than enough_kinds asks for: their features span no more and no less.
TEST(StructuralRank, OfLongInputsIsThatOfEnoughTokens) {
    for (const std::string& text : test::layer_texts()) {
        const Layer layer = layer_named(text);
        if (layer.affine || layer.form == TokenForm::supplied) {
            continue;  // supplied moments have one length
        }
        for (Index n = 5; n <= 9; n += 2) {
            const Index psi =
                test::layer_data({.layer = text, .n = {n, n}, .count = 1}).layout().psi();
            Dataset data =
                test::layer_data({.layer = text, .n = {n, n}, .count = psi + 20, .levels = 50});
            if (data.columns.gates.size() > 0) {  // eight values are too few to be generic
                data.columns.gates = test::normal_matrix(
                    data.columns.gates.rows(), data.columns.gates.cols(), Stream(7));
            }
            const StructuralRank found =
                structural_rank(layer, data.layer_input(), input_kinds(data)).value();
            EXPECT_TRUE(found.is_exact) << text << ", n = " << n;
            EXPECT_EQ(found.rank, certify_rank(data).rank_lower) << text << ", n = " << n;
        }
    }
}

TEST(StructuralRank, HasIdentitiesThatVanishOnEveryInputOfTheKind) {
    for (const std::string& text : test::layer_texts()) {
        for (Index n = 1; n <= 3; ++n) {
            const Dataset data =
                test::layer_data({.layer = text, .n = {n, n}, .count = 3, .levels = 50});
            const IntegerNullSpace found =
                structural_rank(data.layer, data.layer_input(), length(n)).value().identities;
            const MatrixOf<Rational> features = test::features_by_definition(data);
            ASSERT_EQ(found.free_columns.size(), found.vectors.size());
            EXPECT_TRUE(std::is_sorted(found.free_columns.begin(), found.free_columns.end()));
            for (std::size_t k = 0; k < found.vectors.size(); ++k) {
                const IntegerVector& v = found.vectors[k];
                EXPECT_EQ(MatrixOf<Rational>(features * v.cast<Rational>()),
                          MatrixOf<Rational>(MatrixOf<Rational>::Zero(3, 1)))
                    << text << ", n = " << n;
                for (std::size_t i = 0; i < found.vectors.size(); ++i) {
                    EXPECT_EQ(v(found.free_columns[i]) != 0, i == k) << text << ", n = " << n;
                }
            }
        }
    }
}

TEST(StructuralRank, OfThePapersLayerDoesNotDependOnWhereTheQueryStands) {
    for (const Index query : {0, 2, 6}) {
        Dataset data = test::layer_data({.layer = "linear", .d = 3, .n = {7, 7}, .count = 40});
        data.query.assign(40, query);
        const StructuralRank found = rank_of("linear", 3, input_kinds(data));
        EXPECT_EQ(found.rank, certify_rank(data).rank_lower) << query;
    }
}

TEST(StructuralRank, TakesNoTimeForLongInputs) {
    const Index n = 1'000'000;
    EXPECT_EQ(rank_of("linear", 3, length(n)).rank, feature_dim(3));
    EXPECT_EQ(rank_of("decay=1,1/2", 3, length(n)).rank, 2 * feature_dim(3));
    EXPECT_EQ(rank_of("gates", 3, length(n)).rank, feature_dim(3));
    const Dataset biased = test::layer_data({.layer = "affine", .count = 1});
    EXPECT_FALSE(structural_rank(biased.layer, biased.layer_input(), length(n)));
}

/// Elimination of 8704 columns takes minutes; of the parts that no monomial joins, nothing.
TEST(StructuralRank, TakesNoTimeForManyFeatures) {
    const StructuralRank found = rank_of("decay=31/32,63/64,127/128,255/256", 16, length(12));
    EXPECT_EQ(found.rank, 4 * feature_dim(16));
    EXPECT_TRUE(found.is_exact);
}

TEST(StructuralRank, KnowsTheKindsOfADataSet) {
    const Dataset prefixes = test::layer_data(
        {.layer = "linear", .n = {3, 3}, .labels = LabelKind::per_prefix, .count = 2});
    EXPECT_EQ(input_kinds(prefixes), (std::vector<InputKind>{{1, 0}, {2, 1}, {3, 2}}));
    Dataset queried = test::layer_data({.layer = "linear", .n = {3, 3}, .count = 2});
    queried.query = {1, 2};
    EXPECT_EQ(input_kinds(queried), (std::vector<InputKind>{{3, 1}, {3, 2}}));
    EXPECT_EQ(all_kinds(layer_named("decay=1,1/2"))->size(), 4U);
    EXPECT_FALSE(all_kinds(layer_named("affine")));
}

TEST(StructuralRank, IsNotGuessedWhereItTakesTooLong) {
    EXPECT_FALSE(structural_rank(Layer{}, {.d = 200}, length(2)));
}

TEST(Polynomial, IsARing) {
    const PolynomialArithmetic p;
    const Polynomial x = PolynomialArithmetic::variable(0);
    const Polynomial y = PolynomialArithmetic::variable(1);
    const Polynomial sum = p.add(x, y);
    const Polynomial square = p.multiply(sum, sum);
    const Polynomial expected{{{0, 0}, 1}, {{0, 1}, 2}, {{1, 1}, 1}};
    EXPECT_EQ(square, expected);
    EXPECT_EQ(p.add(x, p.multiply(p.number(Rational(-1)), x)), p.zero());
    EXPECT_EQ(p.multiply(p.zero(), x), p.zero());
    EXPECT_EQ(p.multiply(p.one(), x), x);
}

}  // namespace
}  // namespace attest

#include "core/base/error.hpp"
#include "core/certify/rank/exact_features.hpp"
#include "core/certify/rank/exact_rank.hpp"
#include "core/data/sources/moments.hpp"
#include "core/exact/reals.hpp"
#include "core/exact/scalars.hpp"
#include "core/features/cubic.hpp"
#include "core/layers/formal_input.hpp"
#include "core/layers/parse_layer.hpp"
#include "tests/reference/elimination.hpp"
#include "tests/support/layer_examples.hpp"

#include <gtest/gtest.h>

namespace attest::test {

namespace {

/// Every layer on sequences of one length, of several, and on prefixes.
std::vector<LayerCase> cases() {
    std::vector<LayerCase> found;
    for (const std::string& text : layer_texts()) {
        for (const Index d : {2, 3}) {
            found.push_back({.layer = text, .d = d, .n = {4, 4}});
            found.push_back({.layer = text, .d = d, .n = {1, 5}});
            found.push_back({.layer = text, .d = d, .n = {1, 5}, .labels = LabelKind::per_prefix});
        }
    }
    return found;
}

std::string name_of_case(const LayerCase& wanted) {
    return wanted.layer + " at d = " + std::to_string(wanted.d) + ", n = " + to_string(wanted.n) +
           ", labels " + std::string(to_string(wanted.labels));
}

template <class Scalar>
MatrixOf<Scalar> feature_rows(const Dataset& data) {
    const auto batch = sequence_moments<Scalar>(data, 0, data.num_sequences());
    return feature_columns<Scalar>(batch, data.layout()).transpose();
}

TEST(LayerFeatures, AreThoseOfTheDefinitionOverTheRationals) {
    for (const LayerCase& wanted : cases()) {
        const Dataset data = layer_data(wanted);
        EXPECT_EQ(feature_rows<Rational>(data), features_by_definition(data))
            << name_of_case(wanted);
    }
}

/// Gaussian tokens; sums of n ≤ 5 products of at most five factors, some of them negative: a few
/// roundings of the sum of magnitudes, which the features of |z| bound.
template <class Scalar>
void expect_near_the_definition(double unit) {
    for (LayerCase wanted : cases()) {
        wanted.levels = 0;
        const Dataset data = layer_data(wanted);
        const MatrixOf<Rational> exact = features_by_definition(data);
        Dataset magnitudes = data;
        magnitudes.tokens = data.tokens.view().cwiseAbs();
        for (Matrix* columns : {&magnitudes.columns.x,
                                &magnitudes.columns.phi,
                                &magnitudes.columns.keys,
                                &magnitudes.columns.s,
                                &magnitudes.columns.u}) {
            *columns = columns->cwiseAbs();
        }
        magnitudes.columns.beta = -data.columns.beta.cwiseAbs();  // I − β k kᵀ of sizes
        const MatrixOf<Rational> size = features_by_definition(magnitudes);
        const MatrixOf<Scalar> computed = feature_rows<Scalar>(data);
        for (Index i = 0; i < exact.rows(); ++i) {
            for (Index k = 0; k < exact.cols(); ++k) {
                const Scalar gap = computed(i, k) - exact(i, k).template convert_to<Scalar>();
                const Scalar allowed =
                    Scalar(40.0 * unit) * Rational(abs(size(i, k))).template convert_to<Scalar>();
                // The table of the examples has no negative values, so sizes are sums of sizes.
                ASSERT_LE(abs(gap), allowed) << name_of_case(wanted) << " row " << i;
            }
        }
    }
}

TEST(LayerFeatures, AreThoseOfTheDefinitionUpToRounding) {
    using std::abs;
    expect_near_the_definition<double>(0x1p-53);
}

TEST(LayerFeatures, AreThoseOfTheDefinitionToFiftyDigits) {
    expect_near_the_definition<Real50>(1e-50);
}

TEST(LayerFeatures, AreScaledToIntegersModuloPrimes) {
    for (const LayerCase& wanted : cases()) {
        const Dataset data = layer_data(wanted);
        const MatrixOf<Rational> exact = features_by_definition(data);
        const FeatureRows rows(data, FeatureColumns::features);
        const MatrixOf<Integer> integers = integer_features(data);
        const Modulus p;
        Index row = 0;
        for (Index b = 0; b < rows.num_blocks(); ++b) {
            const ModularMatrix block = rows.block(p, b);
            for (Index i = 0; i < block.rows(); ++i, ++row) {
                for (Index k = 0; k < exact.cols(); ++k) {
                    ASSERT_EQ(Rational(integers(row, k)), exact(row, k) * rows.row_factor(row))
                        << name_of_case(wanted);
                    ASSERT_EQ(block(i, k), p.reduce(integers(row, k))) << name_of_case(wanted);
                    ASSERT_LE(bit_length(integers(row, k)), rows.entry_bits())
                        << name_of_case(wanted);
                }
            }
        }
        EXPECT_EQ(row, data.num_examples());
    }
}

TEST(LayerFeatures, OfABlockAreThoseOfTheWhole) {
    for (const std::string& text : layer_texts()) {
        const Dataset data =
            layer_data({.layer = text, .n = {1, 40}, .labels = LabelKind::per_prefix, .count = 60});
        const DatasetSource source(data);
        const MomentBatch whole = sequence_moments<double>(data, 0, data.num_sequences());
        const MomentBatch blocks = collect(source);
        EXPECT_EQ(blocks.S, whole.S) << text;
        EXPECT_EQ(blocks.u, whole.u) << text;
        EXPECT_EQ(blocks.y, whole.y) << text;
    }
}

Polynomial product(std::vector<Index> variables) {
    return {{std::move(variables), Rational(1)}};
}

/// d = 1, tokens v_0 and v_1: s = (v_0² + v_1², v_0²/2 + v_1²), u = v_1.
TEST(FormalInput, MakesFeaturesPolynomialsInTheEntries) {
    const PolynomialArithmetic p;
    const Layer layer = layer_named("decay=1,1/2");
    const std::vector<Polynomial> features =
        layer_features(p, layer, {.d = 1}, formal_input(layer, {.d = 1}, 2, 1));

    const Polynomial half = p.multiply(p.number(Rational(1, 2)), product({0, 0, 1}));
    ASSERT_EQ(features.size(), 2U);
    EXPECT_EQ(features[0], p.add(product({0, 0, 1}), product({1, 1, 1})));
    EXPECT_EQ(features[1], p.add(half, product({1, 1, 1})));
}

TEST(FormalInput, AsksWithTheTokenSaidOrWithX) {
    const Layer linear;
    EXPECT_EQ(formal_input(linear, {.d = 2}, 3, 1).asking,
              (std::vector<Polynomial>{product({2}), product({3})}));
    EXPECT_EQ(formal_input(layer_named("cross"), {.d = 2, .x = 1}, 3, 2).asking,
              std::vector<Polynomial>{product({0})});
    EXPECT_EQ(formal_input(layer_named("mapped"), {.d = 2, .phi = 1}, 1, 0).asking,
              std::vector<Polynomial>{product({2})});
}

/// Weights of the first of two tokens: the second one's gate, variable 3, and no other.
TEST(FormalInput, TakesRecordedGatesAsVariables) {
    const Layer layer = layer_named("gates");
    const std::vector<Polynomial> features = layer_features(
        PolynomialArithmetic(), layer, {.d = 1}, formal_input(layer, {.d = 1}, 2, 1));

    EXPECT_EQ(features.front(),
              PolynomialArithmetic().add(product({0, 0, 2, 3}), product({2, 2, 2})));
}

TEST(FormalInput, RefusesAQueryOutsideTheSequence) {
    EXPECT_THROW((void)formal_input(Layer{}, {.d = 1}, 2, 2), InvalidInput);
}

/// Rank over Q by elimination on the features of the definition.
Index rank_by_definition(const Dataset& data) {
    const MatrixOf<Rational> H = features_by_definition(data);
    reference::Rows rows;
    for (Index i = 0; i < H.rows(); ++i) {
        rows.emplace_back();
        for (Index k = 0; k < H.cols(); ++k) {
            rows.back().push_back(H(i, k));
        }
    }
    return static_cast<Index>(reference::reference_rank(rows));
}

TEST(LayerRank, IsTheRankOverTheRationals) {
    for (const std::string& text : layer_texts()) {
        for (const Index d : {2, 3}) {
            for (Index n = 1; n <= 5; ++n) {
                const FeatureLayout layout =
                    layer_data({.layer = text, .d = d, .n = {n, n}, .count = 1}).layout();
                const Index count = std::min<Index>(layout.psi() + 3, 70);
                const Dataset data =
                    layer_data({.layer = text, .d = d, .n = {n, n}, .count = count, .levels = 2});
                const ExactRank rank = certify_rank(data, {});
                EXPECT_EQ(rank.rank_lower, rank_by_definition(data))
                    << text << " at d = " << d << ", n = " << n;
            }
        }
    }
}

/// The fast prime 4194301 has no inverse of such a denominator.
TEST(LayerRank, IsFoundWhereAPrimeDividesADenominator) {
    const Dataset data =
        layer_data({.layer = "decay=1/4194301", .n = {3, 3}, .count = 12, .levels = 2});
    EXPECT_EQ(certify_rank(data, {}).rank_lower, rank_by_definition(data));
}

}  // namespace

}  // namespace attest::test

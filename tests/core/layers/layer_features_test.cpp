#include "core/certify/rank/exact_features.hpp"
#include "core/data/sources/moments.hpp"
#include "core/exact/reals.hpp"
#include "core/exact/scalars.hpp"
#include "core/features/cubic.hpp"
#include "tests/support/layer_examples.hpp"

#include <gtest/gtest.h>

namespace attest {
namespace {

using test::features_by_definition;
using test::LayerCase;

/// Every layer on sequences of one length, of several, and on prefixes.
std::vector<LayerCase> cases() {
    std::vector<LayerCase> found;
    for (const std::string& text : test::layer_texts()) {
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
        const Dataset data = test::layer_data(wanted);
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
        const Dataset data = test::layer_data(wanted);
        const MatrixOf<Rational> exact = features_by_definition(data);
        Dataset magnitudes = data;
        magnitudes.tokens = data.tokens.view().cwiseAbs();
        for (Matrix* columns : {&magnitudes.columns.x,
                                &magnitudes.columns.phi,
                                &magnitudes.columns.s,
                                &magnitudes.columns.u}) {
            *columns = columns->cwiseAbs();
        }
        const MatrixOf<Rational> size = features_by_definition(magnitudes);
        const MatrixOf<Scalar> computed = feature_rows<Scalar>(data);
        for (Index i = 0; i < exact.rows(); ++i) {
            for (Index k = 0; k < exact.cols(); ++k) {
                const Scalar gap = computed(i, k) - exact(i, k).template convert_to<Scalar>();
                const Scalar allowed =
                    Scalar(40.0 * unit) * size(i, k).template convert_to<Scalar>();
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
        const Dataset data = test::layer_data(wanted);
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
    for (const std::string& text : test::layer_texts()) {
        const Dataset data = test::layer_data(
            {.layer = text, .n = {1, 40}, .labels = LabelKind::per_prefix, .count = 60});
        const DatasetSource source(data);
        const MomentBatch whole = sequence_moments<double>(data, 0, data.num_sequences());
        const MomentBatch blocks = collect(source);
        EXPECT_EQ(blocks.S, whole.S) << text;
        EXPECT_EQ(blocks.u, whole.u) << text;
        EXPECT_EQ(blocks.y, whole.y) << text;
    }
}

}  // namespace
}  // namespace attest

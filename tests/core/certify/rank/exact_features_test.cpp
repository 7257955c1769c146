#include "core/certify/rank/exact_features.hpp"

#include "tests/reference/features.hpp"
#include "tests/support/audit_data.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/heads.hpp"
#include "tests/support/modular_draws.hpp"
#include "tests/support/problems.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>

namespace attest::test {
namespace {

/// Small integers times powers of two that differ from sequence to sequence; labels on their own
/// grid.
Dataset draw_dyadic_dataset() {
    Dataset data = draw_dataset(draw_index(1, 3), draw_index(1, 5));
    data.labels =
        *rc::gen::element(LabelKind::none, LabelKind::per_sequence, LabelKind::per_prefix);
    for (Index i = 0; i < data.num_sequences(); ++i) {
        const double scale = std::ldexp(1.0, static_cast<int>(draw_index(-9, 9)));
        data.tokens.own().middleCols(data.first_token(i), data.length(i)) *= scale;
    }
    if (data.labels != LabelKind::none) {
        data.y = draw_integers(2, data.num_examples());
        data.y *= std::ldexp(1.0, static_cast<int>(draw_index(-40, 4)));
    }
    if (data.labels != LabelKind::per_prefix && *rc::gen::arbitrary<bool>()) {
        for (Index i = 0; i < data.num_sequences(); ++i) {
            data.query.push_back(draw_index(0, data.length(i) - 1));
        }
    }
    return data;
}

/// Z of an example with its query moved to the end: what the definitions are applied to.
reference::Rows example_tokens(const Dataset& data, Index i, Index length) {
    Matrix Z = data.tokens.middleCols(data.first_token(i), length);
    if (!data.query.empty()) {
        const Vector query = data.tokens.col(data.query_token(i));
        const Vector last = Z.col(length - 1);
        Z.col(data.query_token(i) - data.first_token(i)) = last;
        Z.col(length - 1) = query;
    }
    return to_rows(Z);
}

std::vector<reference::Row> reference_features_of(const Dataset& data) {
    std::vector<reference::Row> rows;
    for (Index i = 0; i < data.num_sequences(); ++i) {
        const bool prefixes = data.labels == LabelKind::per_prefix;
        for (Index n = prefixes ? 1 : data.length(i); n <= data.length(i); ++n) {
            rows.push_back(reference::reference_cubic_features(example_tokens(data, i, n)));
        }
    }
    return rows;
}

TEST(FeatureRows, AreTheScaledFeaturesModuloAPrimeByHand) {
    // Tokens in units of 1/2: Z = ½·[1, 2; 3, 5], so 2³·H(Z) = H([1, 2; 3, 5]).
    const Dataset data = sequences({Matrix{{0.5, 1}, {1.5, 2.5}}});
    const FeatureRows rows(data);

    const ModularMatrix H = rows.block(Modulus(67), 0);

    EXPECT_EQ(rows.row_exponent(0), 3);
    EXPECT_EQ(H(0, 0), 26U);
    EXPECT_EQ(H(0, 1), 65U);
    EXPECT_EQ(H(0, 4), 1U);  // 68 modulo 67
}

RC_GTEST_PROP(IntegerFeatures, AreTheReferenceFeaturesTimesTheRowsPowerOfTwo, ()) {
    const Dataset data = draw_dyadic_dataset();
    const FeatureRows rows(data);

    const MatrixOf<Integer> H = integer_features(data);

    const std::vector<reference::Row> expected = reference_features_of(data);
    RC_ASSERT(H.rows() == static_cast<Index>(expected.size()));
    for (Index i = 0; i < H.rows(); ++i) {
        const Rational scale = power_of_two(rows.row_exponent(i));
        for (Index j = 0; j < H.cols(); ++j) {
            const Rational& entry =
                expected[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
            RC_ASSERT(Rational(H(i, j)) == Rational(entry * scale));
        }
    }
}

RC_GTEST_PROP(FeatureRows, AreTheIntegerFeaturesModuloEveryPrime, ()) {
    const Dataset data = draw_dyadic_dataset();
    const FeatureColumns columns = data.labels == LabelKind::none
                                       ? FeatureColumns::features
                                       : FeatureColumns::features_and_labels;
    const Modulus p(*rc::gen::element<std::uint64_t>(3U, 67108859U, kDefaultPrime));
    const FeatureRows rows(data, columns);

    const MatrixOf<Integer> exact = integer_features(data, columns);

    RC_ASSERT(rows.num_rows() == exact.rows());
    for (Index b = 0; b < rows.num_blocks(); ++b) {
        const Index count = rows.first_row(b + 1) - rows.first_row(b);
        const MatrixOf<Integer> part = exact.middleRows(rows.first_row(b), count);
        RC_ASSERT(rows.block(p, b) == reduce(p, part));
    }
}

RC_GTEST_PROP(FeatureRows, BoundTheirEntries, ()) {
    const Dataset data = draw_dyadic_dataset();
    const FeatureColumns columns = data.labels == LabelKind::none
                                       ? FeatureColumns::features
                                       : FeatureColumns::features_and_labels;

    const MatrixOf<Integer> exact = integer_features(data, columns);

    Index bits = 0;
    for (Index i = 0; i < exact.rows(); ++i) {
        for (Index j = 0; j < exact.cols(); ++j) {
            bits = std::max(bits, bit_length(exact(i, j)));
        }
    }
    RC_ASSERT(bits <= FeatureRows(data, columns).entry_bits());
}

TEST(FeatureRows, SplitIntoBlocksOfWholeSequences) {
    Dataset data;
    data.tokens = Matrix::Ones(1, 700);
    for (Index i = 0; i <= 700; ++i) {
        data.offsets.push_back(i);
    }

    const FeatureRows rows(data);

    EXPECT_EQ(rows.num_blocks(), 3);
    EXPECT_EQ(rows.first_row(1), 256);
    EXPECT_EQ(rows.num_rows(), 700);
}

TEST(FeatureRows, KeepFewLongSequencesInABlock) {
    constexpr Index kTokens = 100000;  // 2 entries each: two sequences stay below 2^19 numbers
    Dataset data;
    data.tokens = Matrix(Matrix::Ones(2, 5 * kTokens));
    for (Index i = 0; i <= 5; ++i) {
        data.offsets.push_back(i * kTokens);
    }
    const FeatureRows rows(data);
    EXPECT_EQ(rows.num_blocks(), 3);
    EXPECT_EQ(rows.first_row(1), 2);
    EXPECT_EQ(rows.num_rows(), 5);
}

TEST(FeatureRows, HoldTheFullRangeOfDoubles) {
    constexpr double kTiny = std::numeric_limits<double>::denorm_min();
    constexpr double kHuge = std::numeric_limits<double>::max();
    const Dataset data = sequences({Matrix{{kTiny, kHuge}}});

    const MatrixOf<Integer> H = integer_features(data);

    // In units of 2⁻¹⁰⁷⁴: (1 + h²)·h with h = (2⁵³ − 1)·2²⁰⁴⁵.
    const Integer h = ((Integer(1) << 53) - 1) << 2045;
    EXPECT_EQ(H(0, 0), Integer((1 + h * h) * h));
    EXPECT_LE(bit_length(H(0, 0)), FeatureRows(data).entry_bits());
}

TEST(FeatureRows, RefuseNanMissingLabelsAndEmptySets) {
    const Dataset nan = sequences({Matrix{{1, std::nan("")}}});
    const Dataset plain = sequences({Matrix{{1}}});
    Dataset empty = plain;
    empty.offsets = {0};

    EXPECT_REFUSED("dyadic: got nan", FeatureRows(nan));
    EXPECT_REFUSED("FeatureRows: the data set has no labels",
                   FeatureRows(plain, FeatureColumns::features_and_labels));
    EXPECT_REFUSED("FeatureRows: the data set is empty", FeatureRows(empty));
}

}  // namespace
}  // namespace attest::test

#include "core/certify/rank/exact_rank.hpp"
#include "tests/reference/elimination.hpp"
#include "tests/support/layer_examples.hpp"

#include <gtest/gtest.h>

namespace attest {
namespace {

/// Rank over Q by elimination on the features of the definition.
Index rank_by_definition(const Dataset& data) {
    const MatrixOf<Rational> H = test::features_by_definition(data);
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
    for (const std::string& text : test::layer_texts()) {
        for (const Index d : {2, 3}) {
            for (Index n = 1; n <= 5; ++n) {
                const FeatureLayout layout =
                    test::layer_data({.layer = text, .d = d, .n = {n, n}, .count = 1}).layout();
                const Index count = std::min<Index>(layout.psi() + 3, 70);
                const Dataset data = test::layer_data(
                    {.layer = text, .d = d, .n = {n, n}, .count = count, .levels = 2});
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
        test::layer_data({.layer = "decay=1/4194301", .n = {3, 3}, .count = 12, .levels = 2});
    EXPECT_EQ(certify_rank(data, {}).rank_lower, rank_by_definition(data));
}

}  // namespace
}  // namespace attest

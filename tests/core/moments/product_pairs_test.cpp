#include "core/moments/product_pairs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

namespace attest {
namespace {

bool same(const ProductPair& a, const ProductPair& b) {
    return a.factor == b.factor && a.entry == b.entry;
}

/// Aligned runs of `lanes` products with one factor and consecutive entries.
Index single_stretches(const std::vector<ProductPair>& pairs, Index lanes) {
    Index found = 0;
    const auto size = static_cast<Index>(pairs.size());
    for (Index first = 0; first + lanes <= size; first += lanes) {
        bool single = true;
        for (Index i = first; i + 1 < first + lanes; ++i) {
            const ProductPair& here = pairs[static_cast<std::size_t>(i)];
            const ProductPair& next = pairs[static_cast<std::size_t>(i + 1)];
            single = single && same(next, {here.factor, here.entry + 1});
        }
        found += single ? 1 : 0;
    }
    return found;
}

TEST(ProductPairs, TriangleByHand) {
    const std::vector<ProductPair> pairs = triangle_pairs(3);

    const std::vector<ProductPair> expected{{0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 2}};
    EXPECT_TRUE(std::equal(pairs.begin(), pairs.end(), expected.begin(), expected.end(), same));
    EXPECT_EQ(triangle_index(3, 1, 2), 4);
    EXPECT_EQ(triangle_index(3, 2, 1), 4);
}

TEST(ProductPairs, RegisterOrderByHand) {
    // n = 5 in registers of 2: entry 0, then the blocks {1,2} and {3,4}.
    const std::vector<ProductPair> pairs = triangle_pairs_by_register(5, 2);

    const std::vector<ProductPair> expected{{0, 1},
                                            {0, 2},
                                            {0, 3},
                                            {0, 4},
                                            {1, 3},
                                            {1, 4},
                                            {2, 3},
                                            {2, 4},
                                            {1, 1},
                                            {1, 2},
                                            {4, 4},
                                            {2, 2},
                                            {3, 3},
                                            {3, 4},
                                            {0, 0}};
    EXPECT_TRUE(std::equal(pairs.begin(), pairs.end(), expected.begin(), expected.end(), same));
}

TEST(ProductPairs, RegisterOrderHoldsEveryProductOnce) {
    for (const Index lanes : {2, 4, 8, 16}) {
        for (Index n = 1; n <= 50; ++n) {
            std::vector<ProductPair> pairs = triangle_pairs_by_register(n, lanes);
            const std::vector<ProductPair> all = triangle_pairs(n);

            std::sort(pairs.begin(), pairs.end(), [n](const ProductPair& a, const ProductPair& b) {
                return triangle_index(n, a.factor, a.entry) < triangle_index(n, b.factor, b.entry);
            });
            EXPECT_TRUE(std::equal(pairs.begin(), pairs.end(), all.begin(), all.end(), same))
                << "n = " << n << ", lanes = " << lanes;
        }
    }
}

TEST(ProductPairs, RegisterOrderIsMostlySingleStretches) {
    // Above the diagonal blocks every register is one; they are at most lanes+1 of n+1.
    for (const Index n : {36, 78, 136, 300}) {
        const Index registers = packed_dim(n) / 8;
        EXPECT_GE(single_stretches(triangle_pairs_by_register(n, 8), 8) * (n + 1),
                  registers * (n + 1 - 9));
        EXPECT_LT(single_stretches(triangle_pairs(n), 8) * (n + 1), registers * (n + 1 - 9));
    }
}

TEST(ProductPairs, PositionsFindEveryProduct) {
    const Index n = 11;
    const std::vector<ProductPair> pairs = triangle_pairs_by_register(n, 4);

    const std::vector<Index> positions = positions_of_triangle(n, pairs);

    for (Index a = 0; a < n; ++a) {
        for (Index b = a; b < n; ++b) {
            const Index at = positions[static_cast<std::size_t>(triangle_index(n, a, b))];
            EXPECT_TRUE(same(pairs[static_cast<std::size_t>(at)], {a, b}));
        }
    }
}

TEST(ProductPairs, ScaledEntriesByHand) {
    const std::vector<ProductPair> pairs = scaled_entries(7, 2);

    const std::vector<ProductPair> expected{{7, 0}, {7, 1}};
    EXPECT_TRUE(std::equal(pairs.begin(), pairs.end(), expected.begin(), expected.end(), same));
}

}  // namespace
}  // namespace attest

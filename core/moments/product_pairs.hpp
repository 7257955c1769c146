#pragma once

#include "core/moments/gram_path.hpp"

#include <vector>

namespace attest {

/// The n(n+1)/2 products {a, b}, a ≤ b < n, lexicographic: the product is at triangle_index(n, a,
/// b).
[[nodiscard]] std::vector<ProductPair> triangle_pairs(Index n);

/// Position of the product {a, b} in triangle_pairs(n).
[[nodiscard]] constexpr Index triangle_index(Index n, Index a, Index b) {
    const Index low = a < b ? a : b;
    const Index high = a < b ? b : a;
    return low * (2 * n - low + 1) / 2 + (high - low);
}

/// The same products in an order that suits registers of `lanes` scalars: almost every aligned run
/// of `lanes` products is one factor times consecutive entries, the rest mostly two such stretches;
/// and neighbouring runs read the same entries.
[[nodiscard]] std::vector<ProductPair> triangle_pairs_by_register(Index n, Index lanes);

/// Where each product of triangle_pairs(n) stands in a list that holds the same products.
[[nodiscard]] std::vector<Index> positions_of_triangle(Index n,
                                                       const std::vector<ProductPair>& pairs);

/// The products of entry `factor` with the entries 0 … n−1.
[[nodiscard]] std::vector<ProductPair> scaled_entries(Index factor, Index n);

}  // namespace attest

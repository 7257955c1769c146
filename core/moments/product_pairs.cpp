#include "core/moments/product_pairs.hpp"

namespace attest {

namespace {

/// Products of entry `factor` with the entries first … last−1.
void append(std::vector<ProductPair>& pairs, Index factor, Index first, Index last) {
    for (Index entry = first; entry < last; ++entry) {
        pairs.push_back({factor, entry});
    }
}

void append_triangle(std::vector<ProductPair>& pairs, Index first, Index last) {
    for (Index factor = first; factor < last; ++factor) {
        append(pairs, factor, factor, last);
    }
}

/// Two triangles of `lanes` entries as lanes+1 full registers: the last i products of a row of one,
/// then the lanes−i products of a row of the other.
void append_folded(std::vector<ProductPair>& pairs, Index first, Index second, Index lanes) {
    for (Index i = 0; i <= lanes; ++i) {
        if (i > 0) {
            append(pairs, second + lanes - i, second + lanes - i, second + lanes);
        }
        append(pairs, first + i, first + i, first + lanes);
    }
}

}  // namespace

std::vector<ProductPair> triangle_pairs(Index n) {
    std::vector<ProductPair> pairs;
    append_triangle(pairs, 0, n);
    return pairs;
}

std::vector<ProductPair> triangle_pairs_by_register(Index n, Index lanes) {
    std::vector<ProductPair> pairs;
    // Blocks of `lanes` entries behind a shorter first one. Above the diagonal: whole registers.
    const Index start = n % lanes;
    for (Index block = start; block < n; block += lanes) {
        for (Index factor = 0; factor < block; ++factor) {
            append(pairs, factor, block, block + lanes);
        }
    }
    Index block = start;
    for (; block + 2 * lanes <= n; block += 2 * lanes) {
        append_folded(pairs, block, block + lanes, lanes);
    }
    append_triangle(pairs, block, n);
    append_triangle(pairs, 0, start);
    return pairs;
}

std::vector<Index> positions_of_triangle(Index n, const std::vector<ProductPair>& pairs) {
    std::vector<Index> positions(pairs.size());
    for (std::size_t at = 0; at < pairs.size(); ++at) {
        const Index index = triangle_index(n, pairs[at].factor, pairs[at].entry);
        positions[static_cast<std::size_t>(index)] = static_cast<Index>(at);
    }
    return positions;
}

std::vector<ProductPair> scaled_entries(Index factor, Index n) {
    std::vector<ProductPair> pairs;
    append(pairs, factor, 0, n);
    return pairs;
}

}  // namespace attest

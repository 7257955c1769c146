#pragma once

#include "core/data/moment_source.hpp"

namespace attest::test {

[[nodiscard]] inline bool same_numbers(const Dataset& a, const Dataset& b) {
    return Matrix(a.tokens.view()) == Matrix(b.tokens.view()) && a.offsets == b.offsets &&
           a.y == b.y && a.query == b.query && a.columns.x == b.columns.x &&
           a.columns.phi == b.columns.phi && a.columns.gates == b.columns.gates &&
           a.columns.s == b.columns.s && a.columns.u == b.columns.u;
}

/// Blocks, and how they are cut, agree bit for bit.
[[nodiscard]] inline bool same_blocks(const MomentSource& a, const MomentSource& b) {
    bool same = a.shape().num_blocks == b.shape().num_blocks;
    for (Index k = 0; same && k < a.shape().num_blocks; ++k) {
        const MomentBatch x = a.block(k);
        const MomentBatch y = b.block(k);
        same = x.S == y.S && x.u == y.u && x.y == y.y;
    }
    return same;
}

}  // namespace attest::test

#include "distributed/block_tree.hpp"

#include <algorithm>

namespace attest {

Index BlockPartition::owner(Index block) const {
    return std::upper_bound(starts.begin(), starts.end(), block) - starts.begin() - 1;
}

std::vector<TreeNode> BlockPartition::nodes(Index rank) const {
    struct Nothing {};

    TreeStack<Nothing> stack;
    for (Index b = first(rank); b < last(rank); ++b) {
        stack.push({0, b}, Nothing(), [](Nothing& /*left*/, const Nothing& /*right*/) {});
    }
    return stack.nodes();
}

BlockPartition partition_blocks(Index num_blocks, Index ranks) {
    constexpr Index kCutsWithinARank = 8;
    Index step = 1;
    while (2 * step * kCutsWithinARank * ranks <= num_blocks) {
        step *= 2;
    }
    BlockPartition partition{num_blocks, {}};
    for (Index r = 0; r < ranks; ++r) {
        partition.starts.push_back((r * num_blocks / ranks + step / 2) / step * step);
    }
    partition.starts.push_back(num_blocks);
    return partition;
}

}  // namespace attest

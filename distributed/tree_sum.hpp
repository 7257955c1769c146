#pragma once

#include "core/algebra/matrix.hpp"
#include "core/base/shape.hpp"
#include "distributed/communicator.hpp"

#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

namespace attest {

/// A node of the binary tree over blocks 0, 1, …: the blocks index·2^level … (index+1)·2^level − 1
/// that there are. The tree is fixed by their number, whoever has them.
struct TreeNode {
    int level = 0;
    Index index = 0;

    friend bool operator==(const TreeNode&, const TreeNode&) = default;
};

/// Combines consecutive nodes, left to right, along the tree: two siblings become their parent at
/// once, so that a run of n blocks leaves at most 2 log₂ n + 1 values.
template <class Value>
class TreeStack {
public:
    /// combine(left, right) changes left into left + right.
    template <class Combine>
    void push(TreeNode node, Value value, const Combine& combine) {
        while (!nodes_.empty() && nodes_.back().level == node.level && node.index % 2 == 1) {
            combine(values_.back(), value);
            value = std::move(values_.back());
            nodes_.pop_back();
            values_.pop_back();
            node = {node.level + 1, node.index / 2};
        }
        nodes_.push_back(node);
        values_.push_back(std::move(value));
    }

    /// The root, when every block has been pushed: nodes without a sibling stand for their parents.
    template <class Combine>
    [[nodiscard]] Value root(const Combine& combine) && {
        while (values_.size() > 1) {
            combine(values_[values_.size() - 2], values_.back());
            values_.pop_back();
        }
        return std::move(values_.back());
    }

    [[nodiscard]] const std::vector<TreeNode>& nodes() const { return nodes_; }

    [[nodiscard]] const std::vector<Value>& values() const { return values_; }

private:
    std::vector<TreeNode> nodes_;
    std::vector<Value> values_;
};

/// Which rank has which of the blocks: starts[r] … starts[r+1]−1.
struct BlockPartition {
    Index num_blocks = 0;
    std::vector<Index> starts;  ///< ranks + 1 entries, from 0 to num_blocks

    [[nodiscard]] Index first(Index rank) const { return starts[static_cast<std::size_t>(rank)]; }

    [[nodiscard]] Index last(Index rank) const {
        return starts[static_cast<std::size_t>(rank) + 1];
    }

    [[nodiscard]] Index owner(Index block) const;

    /// What a rank's blocks leave on its stack.
    [[nodiscard]] std::vector<TreeNode> nodes(Index rank) const;
};

/// About as many blocks for each rank, the cuts at multiples of a power of two that leave few
/// nodes. More ranks than blocks: some have none.
[[nodiscard]] BlockPartition partition_blocks(Index num_blocks, Index ranks);

/// Σ_b leaf(b) over all blocks, rows×cols, on every rank; collective. Each rank calls leaf for its
/// own blocks, in order. Added along the tree over blocks: the bits do not depend on the number of
/// ranks. A rank sends each of its nodes once and its share of the sum once, 8·rows·cols bytes
/// each.
[[nodiscard]] Matrix tree_sum(const Communicator& ranks,
                              const BlockPartition& blocks,
                              Index rows,
                              Index cols,
                              const std::function<Matrix(Index block)>& leaf);

/// The most values that a rank has left after its own blocks.
[[nodiscard]] Index tree_sum_values(const BlockPartition& blocks);

}  // namespace attest

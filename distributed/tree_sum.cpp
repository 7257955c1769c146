#include "distributed/tree_sum.hpp"

#include <algorithm>

namespace attest {

namespace {

/// Numbers of the sum that are exchanged at once.
constexpr Index kPieceOfSum = Index{1} << 22;

template <class Value>
void add_to(Value& left, const Value& right) {
    left += right;
}

/// The cuts of `count` numbers among the ranks.
std::vector<Index> cuts(Index count, Index ranks) {
    std::vector<Index> starts;
    for (Index r = 0; r <= ranks; ++r) {
        starts.push_back(r * count / ranks);
    }
    return starts;
}

/// The sum over ranks of one piece of their nodes' values: each rank adds a slice.
class PieceSum {
public:
    PieceSum(const Communicator& ranks, const BlockPartition& blocks) : ranks_(ranks) {
        for (Index r = 0; r < ranks.size(); ++r) {
            nodes_.push_back(blocks.nodes(r));
        }
    }

    void add(const std::vector<Matrix>& values, Index first, Index count, double* sum) const {
        const std::vector<Index> starts = cuts(count, ranks_.size());
        std::vector<double> mine;
        std::vector<Index> send;
        for (std::size_t r = 0; r + 1 < starts.size(); ++r) {
            for (const Matrix& value : values) {
                mine.insert(mine.end(),
                            value.data() + first + starts[r],
                            value.data() + first + starts[r + 1]);
            }
            send.push_back((starts[r + 1] - starts[r]) * std::ssize(values));
        }
        const auto me = static_cast<std::size_t>(ranks_.rank());
        const Index slice = starts[me + 1] - starts[me];
        std::vector<Index> receive;
        for (const std::vector<TreeNode>& nodes : nodes_) {
            receive.push_back(slice * std::ssize(nodes));
        }
        const std::vector<double> received = ranks_.exchange(mine, send, receive);
        TreeStack<Vector> stack;
        const double* at = received.data();
        for (const std::vector<TreeNode>& nodes : nodes_) {
            for (const TreeNode& node : nodes) {
                stack.push(node, Eigen::Map<const Vector>(at, slice), add_to<Vector>);
                at += slice;
            }
        }
        Eigen::Map<Vector>(sum + starts[me], slice) = std::move(stack).root(add_to<Vector>);
        ranks_.gather_to_all({sum, static_cast<std::size_t>(count)}, starts);
    }

private:
    const Communicator& ranks_;
    std::vector<std::vector<TreeNode>> nodes_;
};

}  // namespace

Matrix tree_sum(const Communicator& ranks,
                const BlockPartition& blocks,
                Index rows,
                Index cols,
                const std::function<Matrix(Index block)>& leaf) {
    if (blocks.num_blocks == 0) {
        return Matrix::Zero(rows, cols);
    }
    TreeStack<Matrix> stack;
    for (Index b = blocks.first(ranks.rank()); b < blocks.last(ranks.rank()); ++b) {
        stack.push({0, b}, leaf(b), add_to<Matrix>);
    }
    if (ranks.size() == 1) {
        return std::move(stack).root(add_to<Matrix>);
    }
    const PieceSum pieces(ranks, blocks);
    Matrix sum(rows, cols);
    for (Index first = 0; first < sum.size(); first += kPieceOfSum) {
        pieces.add(
            stack.values(), first, std::min(kPieceOfSum, sum.size() - first), sum.data() + first);
    }
    return sum;
}

Index tree_sum_values(const BlockPartition& blocks) {
    Index most = 1;
    for (Index r = 0; r + 1 < std::ssize(blocks.starts); ++r) {
        most = std::max(most, std::ssize(blocks.nodes(r)));
    }
    return most;
}

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

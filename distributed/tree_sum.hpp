#pragma once

#include "core/algebra/matrix.hpp"
#include "distributed/block_tree.hpp"
#include "distributed/communicator.hpp"

#include <functional>

namespace attest {

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

#pragma once

#include "core/solve/coordinates.hpp"
#include "distributed/shards.hpp"

namespace attest {

/// Coordinates for a solve over all ranks' examples, from tokens whitened over all of them where
/// there is no ridge and they span R^d, else scaled by one power of two: solve_coordinates without
/// a source. L by a tree of QR factors over blocks, so that its bits do not depend on the number of
/// ranks. Collective.
[[nodiscard]] SolveCoordinates distributed_coordinates(const Communicator& ranks,
                                                       const ShardedData& data,
                                                       const SolveOptions& options);

/// The tokens as they are.
[[nodiscard]] SolveCoordinates given_coordinates(const ShardedData& data);

/// The moments of each of a rank's blocks in these coordinates. A block's depend on its sequences
/// and the coordinates alone.
[[nodiscard]] std::vector<MomentBatch> own_moments(const ShardedData& data,
                                                   const SolveCoordinates& coordinates);

/// Throws AgreedFailure where tokens or labels are so large or small that products leave the range
/// of doubles: `attest` scales such data, these solvers do not. Collective.
void require_ordinary_sizes(const Communicator& ranks, const ShardedData& data);

}  // namespace attest

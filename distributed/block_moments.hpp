#pragma once

#include "core/data/sources/moments.hpp"
#include "core/solve/coordinates.hpp"
#include "distributed/communicator.hpp"
#include "distributed/shards.hpp"

namespace attest {

/// Coordinates for a solve over all ranks' examples: for the paper's layer from tokens whitened
/// over all of them where there is no ridge and they span R^d, else scaled by one power of two:
/// solve_coordinates without a source. L by a tree of QR factors over blocks, so that its bits do
/// not depend on the number of ranks. Collective.
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
/// of doubles: `attest` scales such data, these solvers do not. Of other layers than the paper's
/// neither does, and none are refused. Collective.
void require_ordinary_sizes(const Communicator& ranks, const ShardedData& data);

/// What one rank has of a symmetric n×n matrix in ScaLAPACK's block-cyclic form. Its lower triangle
/// counts.
template <class Scalar>
struct MatrixShareOf {
    Index n = 0;
    Index edge = 0;            ///< of the tiles
    MatrixOf<Scalar> entries;  ///< local rows × local columns
};

/// Σ H Hᵀ of a source, the rank's share: *owner computes*. Every rank goes through all examples and
/// forms the distinct entries of its own m×m blocks; no sum is sent. The bits of an entry are those
/// of moment_sums, whatever the grid. Nψ²/2 flops over all ranks. Collective where the source is.
template <class Scalar>
[[nodiscard]] MatrixShareOf<Scalar> second_moment_share(const Communicator& ranks,
                                                        const ProcessGrid& grid,
                                                        const MomentSource& source,
                                                        int threads);

/// Bytes this takes on one rank at its peak: distinct entries with their compensation, then
/// without it beside the share of the matrix; and a window of examples.
template <class Scalar>
[[nodiscard]] double second_moment_share_bytes(const SourceShape& shape, Index ranks);

extern template MatrixShareOf<double> second_moment_share(const Communicator&,
                                                          const ProcessGrid&,
                                                          const MomentSource&,
                                                          int);
extern template MatrixShareOf<float> second_moment_share(const Communicator&,
                                                         const ProcessGrid&,
                                                         const MomentSource&,
                                                         int);
extern template double second_moment_share_bytes<double>(const SourceShape&, Index);
extern template double second_moment_share_bytes<float>(const SourceShape&, Index);

}  // namespace attest

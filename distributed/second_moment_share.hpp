#pragma once

#include "core/data/moment_source.hpp"
#include "distributed/process_grid.hpp"

namespace attest {

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

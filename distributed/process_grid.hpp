#pragma once

#include "distributed/communicator.hpp"

namespace attest {

/// All ranks as the nearly square grid that ScaLAPACK works on.
class ProcessGrid {
public:
    /// Collective.
    explicit ProcessGrid(const Communicator& ranks);
    ProcessGrid(const ProcessGrid&) = delete;
    ProcessGrid& operator=(const ProcessGrid&) = delete;
    ProcessGrid(ProcessGrid&&) = delete;
    ProcessGrid& operator=(ProcessGrid&&) = delete;
    ~ProcessGrid();

    [[nodiscard]] Index rows() const { return rows_; }

    [[nodiscard]] Index cols() const { return cols_; }

    [[nodiscard]] Index row() const { return row_; }

    [[nodiscard]] Index col() const { return col_; }

    [[nodiscard]] int context() const { return context_; }

private:
    Index rows_;
    Index cols_;
    Index row_ = 0;
    Index col_ = 0;
    int context_ = -1;
};

/// One dimension of a block-cyclic matrix: blocks of `block` indices go round the `processes`.
struct CyclicIndex {
    Index block;
    Index processes;

    [[nodiscard]] Index owner(Index i) const { return i / block % processes; }

    /// Position among its owner's indices.
    [[nodiscard]] Index local(Index i) const { return i / block / processes * block + i % block; }

    /// How many of the indices below n the process has.
    [[nodiscard]] Index count(Index n, Index process) const;
};

/// Edge of the tiles of a second moment of m query features: a multiple of m, so that an m×m block
/// has one owner, and at least 128, which ScaLAPACK is fast with.
[[nodiscard]] constexpr Index tile_edge(Index m) {
    return (128 + m - 1) / m * m;
}

}  // namespace attest

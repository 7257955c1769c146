#pragma once

#include "core/base/shape.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace attest {

/// MPI from here to the end of the scope, for the main thread of the program.
class MpiScope {
public:
    MpiScope(int& argc, char**& argv);
    MpiScope(const MpiScope&) = delete;
    MpiScope& operator=(const MpiScope&) = delete;
    MpiScope(MpiScope&&) = delete;
    MpiScope& operator=(MpiScope&&) = delete;
    ~MpiScope();
};

/// All ranks of the program. Every function but rank(), size() and abort() is collective: all ranks
/// call it with arguments that fit each other, and it returns on none before all are there. MPI
/// counts in int; longer messages are cut into pieces.
class Communicator {
public:
    /// MPI must have begun.
    Communicator();

    [[nodiscard]] Index rank() const { return rank_; }

    [[nodiscard]] Index size() const { return size_; }

    /// Ranks on this rank's machine, which share its memory.
    [[nodiscard]] Index ranks_here() const { return ranks_here_; }

    void broadcast(std::span<std::byte> bytes, Index root) const;
    void broadcast(std::span<double> numbers, Index root) const;
    void broadcast(std::span<Index> numbers, Index root) const;

    /// starts[r] … starts[r+1]−1 of `numbers` are rank r's; afterwards all ranks have all of them.
    void gather_to_all(std::span<double> numbers, const std::vector<Index>& starts) const;
    void gather_to_all(std::span<Index> numbers, const std::vector<Index>& starts) const;
    void gather_to_all(std::span<std::uint64_t> numbers, const std::vector<Index>& starts) const;

    /// send_counts[r] of `mine` go to rank r, in order; what comes, in the order of the ranks:
    /// receive_counts[r] from rank r. At most 2³¹ − 1 numbers each way.
    [[nodiscard]] std::vector<double> exchange(std::span<const double> mine,
                                               const std::vector<Index>& send_counts,
                                               const std::vector<Index>& receive_counts) const;
    [[nodiscard]] std::vector<std::uint64_t> exchange(
        std::span<const std::uint64_t> mine,
        const std::vector<Index>& send_counts,
        const std::vector<Index>& receive_counts) const;

    /// Entry by entry the largest of all ranks'.
    void largest(std::span<double> numbers) const;

    /// Entry by entry the sum, where at most one rank has another number than 0 there: so exact.
    void unite(std::span<double> numbers) const;
    void unite(std::span<float> numbers) const;

    /// Ends all ranks at once with this exit code; not collective.
    [[noreturn]] static void abort(int code);

private:
    Index rank_ = 0;
    Index size_ = 1;
    Index ranks_here_ = 1;
};

/// Every rank's number, on every rank; collective.
[[nodiscard]] std::vector<Index> of_ranks(const Communicator& ranks, Index mine);

/// Where parts of these sizes, times `each`, begin one after the other, and the end.
[[nodiscard]] std::vector<Index> starts_of(const std::vector<Index>& sizes, Index each = 1);

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

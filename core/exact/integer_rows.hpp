#pragma once

#include "core/exact/column_classes.hpp"
#include "core/exact/modular_matrix.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace attest {

/// An integer at (output, column) of a sparse matrix.
struct MapEntry {
    Index output = 0;
    Index column = 0;
    std::int64_t value = 0;
};

/// A sparse integer matrix that is applied to sparse rows: output a gets Σ_j M(a,j)·row(j). Exact:
/// a sum beyond 64 bits throws NotAvailable.
class IntegerMap {
public:
    IntegerMap(Index num_outputs, Index num_columns, std::vector<MapEntry> entries);

    [[nodiscard]] std::vector<std::int64_t> apply(std::span<const IntegerEntry> row) const;

    [[nodiscard]] Index num_outputs() const { return num_outputs_; }

    /// By ascending column.
    [[nodiscard]] const std::vector<MapEntry>& entries() const { return entries_; }

private:
    Index num_outputs_;
    std::vector<MapEntry> entries_;
    std::vector<std::size_t> first_;  ///< entries of column j are first_[j] … first_[j+1]−1
};

/// A matrix of integers that is only ever seen modulo primes, in blocks of consecutive rows: the
/// features of a data set are never held as big integers. `block` is a pure function of its
/// arguments.
class IntegerRows {
public:
    IntegerRows() = default;
    IntegerRows(const IntegerRows&) = delete;
    IntegerRows& operator=(const IntegerRows&) = delete;
    IntegerRows(IntegerRows&&) = delete;
    IntegerRows& operator=(IntegerRows&&) = delete;
    virtual ~IntegerRows() = default;

    [[nodiscard]] virtual Index num_columns() const = 0;
    [[nodiscard]] virtual Index num_blocks() const = 0;
    /// First row of block b; num_rows() for b = num_blocks().
    [[nodiscard]] virtual Index first_row(Index b) const = 0;
    /// The rows of block b modulo p.
    [[nodiscard]] virtual ModularMatrix block(const Modulus& p, Index b) const = 0;
    /// A number B with |entry| < 2^B for every entry.
    [[nodiscard]] virtual Index entry_bits() const = 0;

    [[nodiscard]] Index num_rows() const { return first_row(num_blocks()); }
};

/// The given rows modulo p, in the given order. Only the blocks that hold them are formed.
[[nodiscard]] ModularMatrix select_rows(const Modulus& p,
                                        const IntegerRows& rows,
                                        const std::vector<Index>& numbers);

/// Independent rows and columns modulo one prime.
struct RankProfile {
    std::uint64_t prime = 0;
    std::vector<Index>
        pivot_rows;  ///< as many as pivot_columns; the submatrix of both is regular modulo prime
    std::vector<Index> pivot_columns;

    [[nodiscard]] Index rank() const { return static_cast<Index>(pivot_columns.size()); }
};

/// The rank modulo p, never above the rank over Q. One pass, which ends as soon as the rank is
/// num_columns(). Rows are screened by random null vectors (see RowBasisOptions): with probability
/// about 2⁻⁶⁰ for each row the profile misses an independent one, so `rank` is proved only as a
/// lower bound.
[[nodiscard]] RankProfile rank_profile(const Modulus& p, const IntegerRows& rows);

/// The profile of larger rank of two primes; the second is not tried where the first reaches
/// `full`.
[[nodiscard]] RankProfile higher_rank_profile(const IntegerRows& rows,
                                              const Modulus& first,
                                              const Modulus& second,
                                              Index full);

}  // namespace attest

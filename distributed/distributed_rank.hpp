#pragma once

#include "core/certify/rank/exact_rank.hpp"
#include "core/exact/modular_matrix.hpp"
#include "distributed/shards.hpp"

#include <vector>

namespace attest {

/// A reduced basis of the row space modulo p of rows whose columns are spread over all ranks, in
/// blocks that go round: ModularRowBasis for more than one machine. Of the rows, every rank has its
/// own columns, r(n − r)/P residues at rank r; pivots are known to all. About n³/3 multiply-adds
/// for rank n over all ranks. Which columns become pivots does not depend on the number of ranks.
/// Every function but the const ones is collective.
class DistributedRowBasis {
public:
    DistributedRowBasis(const Communicator& ranks, const Modulus& p, Index num_columns);

    /// The rank's columns, ascending.
    [[nodiscard]] const std::vector<Index>& own_columns() const { return own_; }

    /// The columns of any rank, ascending.
    [[nodiscard]] std::vector<Index> columns_of(Index rank) const;

    /// Takes rows, the same ones on every rank: the entries in its own columns.
    void append(const ModularMatrix& rows);

    [[nodiscard]] Index rank() const { return static_cast<Index>(pivots_.size()); }

    /// Pivot columns, in the order of discovery.
    [[nodiscard]] const std::vector<Index>& pivots() const { return pivots_; }

    /// Numbers of the independent rows, counted from 0 over all that were appended, in the same
    /// order: the submatrix of both is regular modulo p.
    [[nodiscard]] const std::vector<Index>& pivot_rows() const { return pivot_rows_; }

private:
    /// Columns on every rank, and whose they are.
    struct Gathered {
        std::vector<Index> numbers;  ///< of the columns, ascending
        ModularMatrix columns;       ///< one a row
    };

    [[nodiscard]] Gathered gather(const ModularMatrix& columns,
                                  const std::vector<Index>& numbers) const;
    [[nodiscard]] std::vector<Index> free_numbers() const;

    const Communicator& ranks_;
    Modulus p_;
    Index num_columns_;
    std::vector<Index> own_;
    std::vector<Index> free_;  ///< places among own_ of columns that are no pivots, ascending
    ModularMatrix F_;          ///< rank × free: the reduced rows; the identity at the pivots
    std::vector<Index> pivots_;
    std::vector<Index> pivot_rows_;
    Index num_rows_ = 0;
};

/// certify_rank over all ranks' examples, without null vectors: full rank is proved by pivots
/// modulo one prime, deficiency by N < ψ alone. The features of a block are formed on its owner and
/// sent to whose columns they are: 8Nψ bytes in all. Collective, after read_own_blocks.
[[nodiscard]] ExactRank distributed_exact_rank(const Communicator& ranks, const ShardedData& data);

/// Bytes this takes on one rank at its peak, beside its examples.
[[nodiscard]] double exact_rank_bytes(const SourceShape& shape, Index ranks);

}  // namespace attest

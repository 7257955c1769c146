#pragma once

#include "core/exact/modular_matrix.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace attest {

/// What elimination says about a row h with labels y, given the independent rows before it.
enum class RowRelation : std::uint8_t {
    pending,      ///< waits in the buffer: call flush()
    independent,  ///< h enlarges the row space
    consistent,   ///< h is a combination of earlier rows, and y is the same combination of their
                  ///< labels
    inconsistent  ///< h is a combination of earlier rows, y is not
};

/// A block of rows after elimination by itself. Rows and columns are numbered within the block.
struct ReducedBlock {
    std::vector<Index> pivots;      ///< the r pivot columns
    std::vector<Index> free;        ///< the other columns
    std::vector<Index> pivot_rows;  ///< r independent rows
    ModularMatrix F;  ///< the reduced rows at the free columns; they are the identity at the pivots
    ModularMatrix labels;             ///< the reduced rows' labels
    std::vector<RowRelation> status;  ///< one a row
};

/// Eliminates a block E (m×n) with labels Y (m×o) modulo p by one echelon form. O(m² n).
[[nodiscard]] ReducedBlock reduce_block(const Modulus& p,
                                        const ModularMatrix& E,
                                        const ModularMatrix& Y);

/// Rows that one echelon form eliminates: its pivots come in ascending order. Longer blocks are
/// split, so that most of the work is products.
inline constexpr Index kPanelRows = 64;

struct RowBasisOptions {
    Index num_labels = 0;
    /// Rows that are eliminated together; 0: 256, and 512 from 4000 columns on.
    Index block_rows = 0;
    /// Random null vectors of the current basis, tried on a row before elimination. A row they all
    /// annihilate is taken as dependent: wrong with probability p^(−screens) for a row chosen
    /// without knowledge of them. 0: never.
    Index screens = 0;
};

/// Screens by which a dependent row is taken wrongly with probability at most 2⁻⁶⁰.
[[nodiscard]] Index screens_for(const Modulus& p);

/// A reduced basis of the row space modulo p of rows that arrive one by one, with their labels
/// carried along. Rows are buffered and eliminated in blocks by matrix products. Independent rows
/// are proved independent (over Q too); dependence holds modulo p. Total cost about n³/3
/// multiply-adds for rank n, and with screens O(nonzeros) for each dependent row; memory r(n−r)
/// residues, at most n²/4.
class ModularRowBasis {
public:
    ModularRowBasis(const Modulus& p, Index num_columns, RowBasisOptions options = {});

    /// Takes a dense row of num_columns residues and num_labels labels; returns its number, counted
    /// from 0.
    Index append(std::span<const Residue> row, std::span<const Residue> labels = {});
    /// Takes a sparse row; columns may come in any order, repeated columns add up.
    Index append_sparse(std::span<const SparseEntry> row, std::span<const Residue> labels = {});
    /// Takes every row of a matrix; labels is rows×num_labels.
    void append(const ModularMatrix& rows, const ModularMatrix& labels);
    /// Eliminates what waits in the buffer.
    void flush();

    [[nodiscard]] Index num_columns() const { return num_columns_; }

    [[nodiscard]] Index num_rows() const { return static_cast<Index>(status_.size()); }

    [[nodiscard]] RowRelation status(Index row) const {
        return status_[static_cast<std::size_t>(row)];
    }

    [[nodiscard]] Index count(RowRelation status) const;

    // What follows describes the eliminated rows: call flush() first.

    [[nodiscard]] Index rank() const { return static_cast<Index>(pivots_.size()); }

    /// Pivot columns, in the order of discovery.
    [[nodiscard]] const std::vector<Index>& pivots() const { return pivots_; }

    /// Numbers of the independent rows, in the same order as the blocks found them. The submatrix
    /// of these rows and the pivot columns is regular modulo p.
    [[nodiscard]] const std::vector<Index>& pivot_rows() const { return pivot_rows_; }

    /// Rows that span {v : h·v = 0 for every row h}, (n−r)×n; row i is 1 at free column i, 0 at
    /// other free ones.
    [[nodiscard]] ModularMatrix null_basis() const;

    /// The basic solution, num_labels×n: the labels of every consistent row h are solution·h; zero
    /// off the pivots.
    [[nodiscard]] const ModularMatrix& solution() const { return solution_; }

    /// Random vectors v with h·v = 0 for every row h of the basis, options.screens×n.
    [[nodiscard]] const ModularMatrix& screens() const { return screens_; }

    /// Whether h is modulo p a combination of the rows so far. Exact modulo p; O(n·r) for a dense
    /// row.
    [[nodiscard]] bool spans(std::span<const Residue> row) const;

private:
    /// v ↦ h·v for a row h held in some form.
    using Functional = std::function<Residue(const Residue*)>;

    [[nodiscard]] bool settle_by_screens(const Functional& row, std::span<const Residue> labels);
    Residue* buffer_row(std::span<const Residue> labels);
    Index finish_append();
    void eliminate(const ModularMatrix& rows, const ModularMatrix& labels);
    [[nodiscard]] ReducedBlock reduce_by_panels(const ModularMatrix& E,
                                                const ModularMatrix& Y) const;
    void absorb(const ReducedBlock& found);
    void renew_screens();

    Modulus p_;
    Index num_columns_;
    RowBasisOptions options_;
    std::vector<Index> pivots_;
    std::vector<Index> free_;
    std::vector<Index> pivot_rows_;
    ModularMatrix
        F_;  ///< r×(n−r): the reduced basis at the free columns; it is the identity at the pivots
    ModularMatrix labels_;    ///< r×num_labels: the labels of the reduced basis
    ModularMatrix solution_;  ///< num_labels×n
    ModularMatrix screens_;   ///< screens×n, rows v with h·v = 0 for every row h of the basis
    std::uint64_t draws_ = 0;
    ModularMatrix buffer_;
    ModularMatrix buffer_labels_;
    std::vector<Index> buffered_;
    std::vector<RowRelation> status_;
};

}  // namespace attest

#pragma once

#include "core/algebra/matrix.hpp"
#include "core/exact/float_product.hpp"
#include "core/exact/modular_matrix.hpp"

#include <cstdint>
#include <vector>

namespace attest {

/// An echelon form modulo p < 2²² of rows that arrive one by one, for the rank alone: residues stay
/// balanced doubles from a row's arrival to the end, sums are reduced every 2000 products, and
/// rows that are in the form are never touched again. What is found is what ModularRowBasis finds:
/// the pivot columns are the leading ones of the row space. About n³/3 multiply-adds for rank n, at
/// the speed of dgemm; memory at most n² doubles at rank n, n²/2 where pivots ascend.
class FloatEchelon {
public:
    /// Throws InvalidInput unless p < 2²². Rows are eliminated `block_rows` at a time.
    FloatEchelon(const Modulus& p, Index num_columns, Index block_rows);

    /// Takes every row of a matrix of num_columns columns.
    void append(const ModularMatrix& rows);
    /// Eliminates what waits in the buffer.
    void flush();

    // What follows describes the eliminated rows: call flush() first.

    [[nodiscard]] Index rank() const { return static_cast<Index>(pivots_.size()); }

    /// Pivot columns in the order of discovery, 64 rows at a time.
    [[nodiscard]] const std::vector<Index>& pivots() const { return pivots_; }

    /// Numbers of the independent rows, counted from 0 over all rows that were appended.
    [[nodiscard]] const std::vector<Index>& pivot_rows() const { return pivot_rows_; }

private:
    /// Reduced rows, one a column: 1 at their own pivots and 0 at the others' and those of earlier
    /// blocks. They are zero before first_column, which is not stored.
    struct Block {
        Index first_column = 0;
        std::vector<Index> pivots;
        Matrix rows;
    };

    void reduce(Eigen::Ref<Matrix, 0, Eigen::OuterStride<>> X) const;
    void subtract_known(Matrix& E) const;
    void eliminate_within(Matrix& E, Index first, Index last, std::vector<Index>& pivot_of) const;
    void eliminate_few(Matrix& E, Index first, Index last, std::vector<Index>& pivot_of) const;
    [[nodiscard]] Index clear_pivots(Matrix& E,
                                     const std::vector<Index>& pivot_of,
                                     std::pair<Index, Index> by,
                                     std::pair<Index, Index> of) const;
    void keep(const Matrix& E, const std::vector<Index>& pivot_of);
    [[nodiscard]] bool is_screened(const Eigen::Ref<const Vector>& row) const;
    void renew_screens();

    Modulus p_;
    double prime_;
    Index num_columns_;
    std::vector<Block> blocks_;
    std::vector<Index> pivots_;
    std::vector<Index> pivot_rows_;
    Matrix buffer_;  ///< num_columns × block_rows
    std::vector<Index> buffered_;
    Index num_rows_ = 0;
    Matrix screens_;  ///< columns v with h·v = 0 for every row h so far; none until a row depends
    std::uint64_t draws_ = 0;
};

}  // namespace attest

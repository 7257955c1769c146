#pragma once

#include "core/base/shape.hpp"
#include "core/exact/modulus.hpp"

#include <vector>

namespace attest {

/// A dense matrix of residues, row-major.
class ModularMatrix {
public:
    ModularMatrix() = default;
    /// rows×cols zeros.
    ModularMatrix(Index rows, Index cols);

    [[nodiscard]] Index rows() const { return rows_; }

    [[nodiscard]] Index cols() const { return cols_; }

    [[nodiscard]] Residue* row(Index i) { return entries_.data() + i * cols_; }

    [[nodiscard]] const Residue* row(Index i) const { return entries_.data() + i * cols_; }

    [[nodiscard]] Residue& operator()(Index i, Index j) { return row(i)[j]; }

    [[nodiscard]] Residue operator()(Index i, Index j) const { return row(i)[j]; }

    friend bool operator==(const ModularMatrix&, const ModularMatrix&) = default;

private:
    Index rows_ = 0;
    Index cols_ = 0;
    std::vector<Residue> entries_;
};

[[nodiscard]] ModularMatrix transpose(const ModularMatrix& A);

/// The given columns of A, in the given order.
[[nodiscard]] ModularMatrix select_columns(const ModularMatrix& A,
                                           const std::vector<Index>& columns);

/// The given rows of A, in the given order.
[[nodiscard]] ModularMatrix select_rows(const ModularMatrix& A, const std::vector<Index>& rows);

/// [A; B], two matrices of equally many columns.
[[nodiscard]] ModularMatrix stack(const ModularMatrix& A, const ModularMatrix& B);

/// The columns 0 … cols−1 that are not in `columns` (ascending).
[[nodiscard]] std::vector<Index> other_columns(const std::vector<Index>& columns, Index cols);

}  // namespace attest

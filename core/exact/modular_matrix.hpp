#pragma once

#include "core/base/shape.hpp"
#include "core/exact/modulus.hpp"

#include <optional>
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

/// Reduced row echelon form of an m×n matrix A of rank r.
struct Echelon {
    ModularMatrix R;  ///< r×n; R restricted to the pivot columns is the identity
    std::vector<Index>
        pivots;  ///< the r pivot columns, ascending: the first independent ones from the left
    std::vector<Index> pivot_rows;  ///< r independent rows of A, in the order elimination met them

    [[nodiscard]] Index rank() const { return static_cast<Index>(pivots.size()); }
};

/// A·B modulo p. A is m×k, B is k×n. Strassen and classical products by FLINT.
[[nodiscard]] ModularMatrix multiply(const Modulus& p,
                                     const ModularMatrix& A,
                                     const ModularMatrix& B);

/// C − A·B modulo p: the update of blocked elimination.
[[nodiscard]] ModularMatrix subtract_product(const Modulus& p,
                                             ModularMatrix C,
                                             const ModularMatrix& A,
                                             const ModularMatrix& B);

/// Rank modulo p. O(m n r) by recursive LU (FLINT). Never above the rank over Q of an integer
/// matrix with these residues.
[[nodiscard]] Index rank(const Modulus& p, ModularMatrix A);

/// Reduced row echelon form by recursive LU and a triangular solve (FLINT). O(m n r).
[[nodiscard]] Echelon reduced_row_echelon(const Modulus& p, ModularMatrix A);

/// X with A X = B, A r×r; no value when A is singular modulo p.
[[nodiscard]] std::optional<ModularMatrix> solve(const Modulus& p,
                                                 const ModularMatrix& A,
                                                 const ModularMatrix& B);

/// Whether n < 2⁶⁴ is prime. A proof, not a probable prime (FLINT).
[[nodiscard]] bool is_prime(std::uint64_t n);

}  // namespace attest

#pragma once

#include "core/algebra/matrix.hpp"
#include "core/exact/row_basis.hpp"
#include "core/stack/residue_number.hpp"

#include <optional>

namespace attest {

// Matrices of ResidueNumber as those of core/exact, which eliminates.

template <class R>
[[nodiscard]] Modulus modulus_of() {
    return Modulus(R::kModulus);
}

template <class R>
[[nodiscard]] ModularMatrix modular(const MatrixOf<R>& A) {
    ModularMatrix result(A.rows(), A.cols());
    for (Index i = 0; i < A.rows(); ++i) {
        for (Index j = 0; j < A.cols(); ++j) {
            result(i, j) = A(i, j).value();
        }
    }
    return result;
}

template <class R>
[[nodiscard]] MatrixOf<R> from_modular(const ModularMatrix& A) {
    MatrixOf<R> result(A.rows(), A.cols());
    for (Index i = 0; i < A.rows(); ++i) {
        for (Index j = 0; j < A.cols(); ++j) {
            result(i, j) = R(static_cast<std::int64_t>(A(i, j)));
        }
    }
    return result;
}

/// X with A X = B; nothing when A is singular.
template <class R>
[[nodiscard]] std::optional<MatrixOf<R>> solved(const MatrixOf<R>& A, const MatrixOf<R>& B) {
    const std::optional<ModularMatrix> X = solve(modulus_of<R>(), modular(A), modular(B));
    return X ? std::optional(from_modular<R>(*X)) : std::nullopt;
}

/// Rows that span {v : A v = 0}: for each column f that is a combination of earlier ones,
/// ascending, the vector that is 1 at f and 0 at the other such columns.
template <class R>
[[nodiscard]] MatrixOf<R> null_rows(const MatrixOf<R>& A) {
    const Echelon echelon = reduced_row_echelon(modulus_of<R>(), modular(A));
    const std::vector<Index> free = other_columns(echelon.pivots, A.cols());
    MatrixOf<R> rows = MatrixOf<R>::Constant(static_cast<Index>(free.size()), A.cols(), R(0));
    for (std::size_t k = 0; k < free.size(); ++k) {
        const auto row = static_cast<Index>(k);
        rows(row, free[k]) = R(1);
        for (Index i = 0; i < echelon.rank(); ++i) {
            rows(row, echelon.pivots[static_cast<std::size_t>(i)]) =
                -R(static_cast<std::int64_t>(echelon.R(i, free[k])));
        }
    }
    return rows;
}

}  // namespace attest

#pragma once

#include "core/exact/modular_matrix.hpp"

#include <optional>
#include <vector>

namespace attest {

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

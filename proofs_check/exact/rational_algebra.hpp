#pragma once

#include "core/exact/scalars.hpp"
#include "core/rng/stream.hpp"

#include <optional>
#include <string>

namespace attest {

using RationalVector = VectorOf<Rational>;

// Dense linear algebra over Q for small matrices, by Eigen's LU with complete pivoting: shares no
// code with the modular routes of core/exact, so an agreement of both is evidence; nor with the
// plain loops of tests/reference/elimination, against which the tests hold it.

[[nodiscard]] Index rational_rank(const RationalMatrix& A);
[[nodiscard]] Rational rational_determinant(const RationalMatrix& A);
/// Throws BrokenInvariant when A is singular.
[[nodiscard]] RationalMatrix rational_inverse(const RationalMatrix& A);
/// Columns that span {v : A v = 0}; no column when there is only 0.
[[nodiscard]] RationalMatrix rational_null_space(const RationalMatrix& A);
/// Some X with A X = B, if there is one.
[[nodiscard]] std::optional<RationalMatrix> rational_solve(const RationalMatrix& A,
                                                           const RationalMatrix& B);

/// The signs of a symmetric matrix's quadratic form, by symmetric elimination.
struct Definiteness {
    bool semidefinite = false;  ///< xᵀAx ≥ 0 for every x
    Index rank = 0;             ///< of A, when semidefinite

    [[nodiscard]] bool positive(Index size) const { return semidefinite && rank == size; }
};

[[nodiscard]] Definiteness definiteness(RationalMatrix A);

/// Σ a_ij b_ij.
[[nodiscard]] Rational frobenius(const RationalMatrix& A, const RationalMatrix& B);
[[nodiscard]] Rational squared_norm(const RationalMatrix& A);

/// A rows×cols matrix of independent integers uniform on −bound … bound.
[[nodiscard]] RationalMatrix random_integers(Index rows,
                                             Index cols,
                                             Index bound,
                                             const Stream& stream);

/// [[1, 2], [3/2, 4]]: rows in order, as in NumPy.
[[nodiscard]] std::string to_text(const RationalMatrix& A);
/// (1, 3/2).
[[nodiscard]] std::string to_text_vector(const RationalVector& v);

}  // namespace attest

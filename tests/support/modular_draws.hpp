#pragma once

#include "core/exact/modular_matrix.hpp"
#include "tests/support/problems.hpp"

namespace attest::test {

/// An integer matrix modulo p.
[[nodiscard]] inline ModularMatrix reduce(const Modulus& p, const MatrixOf<Integer>& A) {
    ModularMatrix residues(A.rows(), A.cols());
    for (Index i = 0; i < A.rows(); ++i) {
        for (Index j = 0; j < A.cols(); ++j) {
            residues(i, j) = p.reduce(A(i, j));
        }
    }
    return residues;
}

/// A rational matrix modulo p; p divides no denominator.
[[nodiscard]] inline ModularMatrix reduce(const Modulus& p, const MatrixOf<Rational>& A) {
    ModularMatrix residues(A.rows(), A.cols());
    for (Index i = 0; i < A.rows(); ++i) {
        for (Index j = 0; j < A.cols(); ++j) {
            const Integer numerator(boost::multiprecision::numerator(A(i, j)));
            const Integer denominator(boost::multiprecision::denominator(A(i, j)));
            residues(i, j) = p.multiply(p.reduce(numerator), p.inverse(p.reduce(denominator)));
        }
    }
    return residues;
}

/// Fixed pseudo-random residues: for matrices too large to be drawn entry by entry.
[[nodiscard]] inline ModularMatrix filled_matrix(const Modulus& p,
                                                 Index rows,
                                                 Index cols,
                                                 std::uint64_t seed) {
    ModularMatrix A(rows, cols);
    std::uint64_t state = seed;
    for (Index i = 0; i < rows; ++i) {
        for (Index j = 0; j < cols; ++j) {
            state = state * 6364136223846793005U + 1442695040888963407U;  // Knuth's MMIX generator
            A(i, j) = (state >> 2U) % p.prime();
        }
    }
    return A;
}

/// A matrix of small integers of rank at most `rank`, so that ranks below full really occur.
[[nodiscard]] inline MatrixOf<Integer> draw_low_rank(Index rows, Index cols, Index rank) {
    return draw_integers<Integer>(rows, rank) * draw_integers<Integer>(rank, cols);
}

}  // namespace attest::test

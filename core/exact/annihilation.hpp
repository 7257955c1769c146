#pragma once

#include "core/exact/dyadic.hpp"
#include "core/exact/integer_rows.hpp"
#include "core/exact/lift.hpp"

#include <vector>

namespace attest {

/// A matrix of integers in memory as rows that are seen modulo primes.
class MatrixRows : public IntegerRows {
public:
    explicit MatrixRows(MatrixOf<Integer> A, Index block_rows = 256);

    [[nodiscard]] Index num_columns() const override { return A_.cols(); }

    [[nodiscard]] Index num_blocks() const override;
    [[nodiscard]] Index first_row(Index b) const override;
    [[nodiscard]] ModularMatrix block(const Modulus& p, Index b) const override;

    [[nodiscard]] Index entry_bits() const override { return bits_; }

    [[nodiscard]] const MatrixOf<Integer>& matrix() const { return A_; }

private:
    MatrixOf<Integer> A_;
    Index block_rows_;
    Index bits_ = 0;
};

/// For every row, the first vector v (a position in `vectors`) with row·v ≠ 0, or −1 when all
/// products vanish over Z. A proof, not a test: |row·v| is bounded, and the product is zero modulo
/// primes whose product exceeds twice the bound.
[[nodiscard]] std::vector<Index> first_nonzero_product(const IntegerRows& rows,
                                                       const std::vector<IntegerVector>& vectors);

/// For every vector, whether row·v = 0 over Z for every row. Proved in the same way.
[[nodiscard]] std::vector<bool> annihilates_all(const IntegerRows& rows,
                                                const std::vector<IntegerVector>& vectors);

}  // namespace attest

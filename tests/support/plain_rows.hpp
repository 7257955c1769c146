#pragma once

#include "core/exact/dyadic.hpp"
#include "core/exact/integer_rows.hpp"

#include <algorithm>

namespace attest::test {

/// A matrix of big integers held in memory, as IntegerRows with small blocks.
class PlainRows final : public IntegerRows {
public:
    explicit PlainRows(MatrixOf<Integer> A, Index block_rows = 3)
        : A_(std::move(A)), block_rows_(block_rows) {}

    [[nodiscard]] Index num_columns() const override { return A_.cols(); }

    [[nodiscard]] Index num_blocks() const override {
        return (A_.rows() + block_rows_ - 1) / block_rows_;
    }

    [[nodiscard]] Index first_row(Index b) const override {
        return std::min(b * block_rows_, A_.rows());
    }

    [[nodiscard]] Index entry_bits() const override {
        Index bits = 0;
        for (Index i = 0; i < A_.rows(); ++i) {
            for (Index j = 0; j < A_.cols(); ++j) {
                bits = std::max(bits, bit_length(A_(i, j)));
            }
        }
        return bits;
    }

    [[nodiscard]] ModularMatrix block(const Modulus& p, Index b) const override {
        ModularMatrix rows(first_row(b + 1) - first_row(b), A_.cols());
        for (Index i = 0; i < rows.rows(); ++i) {
            for (Index j = 0; j < rows.cols(); ++j) {
                rows(i, j) = p.reduce(A_(first_row(b) + i, j));
            }
        }
        return rows;
    }

    [[nodiscard]] const MatrixOf<Integer>& matrix() const { return A_; }

private:
    MatrixOf<Integer> A_;
    Index block_rows_;
};

}  // namespace attest::test

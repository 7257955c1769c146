#pragma once

#include "core/exact/column_classes.hpp"
#include "core/exact/integer_rows.hpp"
#include "core/explain/explanation.hpp"

#include <vector>

namespace attest {

/// Integer combinations of the columns of other rows, one a new column: Σ value·old(column). Sums
/// over s or u of features, or some of the columns. The rows must outlive it.
class MappedRows final : public IntegerRows {
public:
    MappedRows(const IntegerRows& rows, std::vector<std::vector<IntegerEntry>> columns);

    [[nodiscard]] Index num_columns() const override { return std::ssize(columns_); }

    [[nodiscard]] Index num_blocks() const override { return rows_.num_blocks(); }

    [[nodiscard]] Index first_row(Index b) const override { return rows_.first_row(b); }

    [[nodiscard]] ModularMatrix block(const Modulus& p, Index b) const override;

    [[nodiscard]] Index entry_bits() const override { return entry_bits_; }

private:
    const IntegerRows& rows_;
    std::vector<std::vector<IntegerEntry>> columns_;
    Index entry_bits_ = 0;
};

/// The given columns.
[[nodiscard]] MappedRows chosen_columns(const IntegerRows& rows, const std::vector<Index>& columns);

/// For every example of `inputs` the classes of the explanation, ascending, of which a relation
/// does not hold there: why the data that it explains leave the output open. Proved over Z.
/// `inputs` are read by the layer of the data.
[[nodiscard]] std::vector<std::vector<Index>> broken_relations(const Explanation& explanation,
                                                               const Dataset& inputs);

}  // namespace attest

#pragma once

#include "core/exact/column_classes.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace attest {

/// An integer at (output, column) of a sparse matrix.
struct MapEntry {
    Index output = 0;
    Index column = 0;
    std::int64_t value = 0;
};

/// A sparse integer matrix that is applied to sparse rows: output a gets Σ_j M(a,j)·row(j). Exact:
/// a sum beyond 64 bits throws NotAvailable.
class IntegerMap {
public:
    IntegerMap(Index num_outputs, Index num_columns, std::vector<MapEntry> entries);

    [[nodiscard]] std::vector<std::int64_t> apply(std::span<const IntegerEntry> row) const;

    [[nodiscard]] Index num_outputs() const { return num_outputs_; }

    /// By ascending column.
    [[nodiscard]] const std::vector<MapEntry>& entries() const { return entries_; }

private:
    Index num_outputs_;
    std::vector<MapEntry> entries_;
    std::vector<std::size_t> first_;  ///< entries of column j are first_[j] … first_[j+1]−1
};

}  // namespace attest

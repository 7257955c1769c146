#include "core/explain/mapped_rows.hpp"

#include "core/certify/rank/exact_features.hpp"
#include "core/exact/annihilation.hpp"

#include <algorithm>
#include <utility>

namespace attest {

MappedRows::MappedRows(const IntegerRows& rows, std::vector<std::vector<IntegerEntry>> columns)
    : rows_(rows), columns_(std::move(columns)) {
    Index bits = 0;
    for (const std::vector<IntegerEntry>& column : columns_) {
        Integer norm = 0;
        for (const IntegerEntry& entry : column) {
            norm += abs(Integer(entry.value));
        }
        bits = std::max(bits, bit_length(norm));
    }
    entry_bits_ = rows.entry_bits() + bits;
}

ModularMatrix MappedRows::block(const Modulus& p, Index b) const {
    std::vector<std::vector<SparseEntry>> weights;
    for (const std::vector<IntegerEntry>& column : columns_) {
        std::vector<SparseEntry>& reduced = weights.emplace_back();
        for (const IntegerEntry& entry : column) {
            reduced.push_back({entry.column, p.reduce(entry.value)});
        }
    }
    const ModularMatrix old = rows_.block(p, b);
    ModularMatrix mapped(old.rows(), num_columns());
    for (Index i = 0; i < old.rows(); ++i) {
        for (Index k = 0; k < num_columns(); ++k) {
            mapped(i, k) = p.dot(weights[static_cast<std::size_t>(k)], old.row(i));
        }
    }
    return mapped;
}

MappedRows chosen_columns(const IntegerRows& rows, const std::vector<Index>& columns) {
    std::vector<std::vector<IntegerEntry>> chosen;
    chosen.reserve(columns.size());
    for (const Index column : columns) {
        chosen.push_back({{column, 1}});
    }
    return {rows, std::move(chosen)};
}

std::vector<std::vector<Index>> broken_relations(const Explanation& explanation,
                                                 const Dataset& inputs) {
    const FeatureRows rows(inputs);
    std::vector<std::vector<Index>> broken(static_cast<std::size_t>(inputs.num_examples()));
    for (Index number = 0; number < std::ssize(explanation.classes); ++number) {
        const RelationClass& one = explanation.classes[static_cast<std::size_t>(number)];
        const std::vector<Index> first = first_nonzero_product(rows, one.vectors);
        for (std::size_t i = 0; i < first.size(); ++i) {
            if (first[i] >= 0) {
                broken[i].push_back(number);
            }
        }
    }
    return broken;
}

}  // namespace attest

#include "core/certify/lifted_solution.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"

#include <algorithm>
#include <bit>

namespace attest {

namespace {

constexpr Index kBlockRows = 256;
/// A token's sum has room for one more bit in 64, and IntegerMap refuses what does not fit.
constexpr Index kMostBits = 62;

/// The minimiser of each output over its own denominator, brought over a common one.
ExactMinimiser common_fractions(const LabelledRows& rows,
                                const std::vector<IntegerVector>& outputs) {
    const ColumnClasses& classes = rows.classes();
    const Index n = classes.num_classes();
    Integer denominator = 1;
    for (std::size_t a = 0; a < outputs.size(); ++a) {
        denominator = lcm(denominator, outputs[a](n + static_cast<Index>(a)));
    }
    Index bits = bit_length(denominator);
    std::vector<MapEntry> entries;
    for (Index a = 0; a < static_cast<Index>(outputs.size()); ++a) {
        const IntegerVector& v = outputs[static_cast<std::size_t>(a)];
        // row·v + label·v(n + a) = 0.
        const Integer factor(-denominator / v(n + a));
        for (Index j = 0; j < n; ++j) {
            const Integer value(factor * v(j));
            bits = std::max(bits, bit_length(value));
            if (value != 0 && bits <= kMostBits) {
                entries.push_back({a, classes.representative(j), value.convert_to<std::int64_t>()});
            }
        }
    }
    if (bits > kMostBits) {
        throw NotAvailable(
            formatted("the minimiser is known exactly, but over a common denominator its entries "
                      "take {} bits, at most {} are executed",
                      bits,
                      kMostBits));
    }
    return {denominator.convert_to<std::int64_t>(),
            IntegerMap(rows.num_outputs(), classes.num_columns(), std::move(entries))};
}

}  // namespace

LabelledRows::LabelledRows(const ColumnClasses& classes, Index num_outputs)
    : classes_(classes), num_outputs_(num_outputs) {}

void LabelledRows::append(std::span<const IntegerEntry> row, std::span<const IntegerEntry> label) {
    std::optional<ClassRow> projected = classes_.project(row);
    require(projected.has_value(), "LabelledRows: the row breaks the classes of columns");
    for (const IntegerEntry& entry : label) {
        require(0 <= entry.column && entry.column < num_outputs_,
                "LabelledRows: the label has too many outputs");
        projected->push_back({classes_.num_classes() + entry.column, entry.value});
    }
    for (const IntegerEntry& entry : *projected) {
        const auto magnitude = entry.value < 0 ? ~static_cast<std::uint64_t>(entry.value) + 1
                                               : static_cast<std::uint64_t>(entry.value);
        entry_bits_ = std::max(entry_bits_, static_cast<Index>(std::bit_width(magnitude)));
    }
    rows_.push_back(std::move(*projected));
}

Index LabelledRows::num_blocks() const {
    return (static_cast<Index>(rows_.size()) + kBlockRows - 1) / kBlockRows;
}

Index LabelledRows::first_row(Index b) const {
    return std::min(b * kBlockRows, static_cast<Index>(rows_.size()));
}

ModularMatrix LabelledRows::block(const Modulus& p, Index b) const {
    ModularMatrix residues(first_row(b + 1) - first_row(b), num_columns());
    for (Index i = 0; i < residues.rows(); ++i) {
        for (const IntegerEntry& entry : rows_[static_cast<std::size_t>(first_row(b) + i)]) {
            residues(i, entry.column) = p.reduce(entry.value);
        }
    }
    return residues;
}

LiftedSolution lift_solution(const LabelledRows& rows,
                             const RankProfile& profile,
                             const LiftOptions& options) {
    IntegerNullSpace found = lift_null_space(
        rows, profile, other_columns(profile.pivot_columns, rows.num_columns()), options);
    if (!found.note.empty()) {
        throw NotAvailable(found.note);
    }
    const Index n = rows.classes().num_classes();
    std::vector<IntegerVector> outputs(static_cast<std::size_t>(rows.num_outputs()));
    std::vector<IntegerVector> null_vectors;
    for (std::size_t i = 0; i < found.vectors.size(); ++i) {
        if (found.free_columns[i] >= n) {
            outputs[static_cast<std::size_t>(found.free_columns[i] - n)] =
                std::move(found.vectors[i]);
        } else {
            null_vectors.push_back(std::move(found.vectors[i]));
        }
    }
    return {
        common_fractions(rows, outputs), RowSpan(rows.classes(), null_vectors), found.primes_used};
}

}  // namespace attest

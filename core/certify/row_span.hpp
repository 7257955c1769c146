#pragma once

#include "core/exact/integer_map.hpp"
#include "core/exact/lift.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace attest {

/// The row space over Q of sparse integer rows, as a basis of its null vectors. Vectors are kept as
/// signed digits base 2⁴⁸, so that long ones need no arithmetic beyond 64 bits.
class RowSpan {
public:
    static constexpr int kDigitBits = 48;

    /// Null vectors over classes, one an output of the map.
    RowSpan(ColumnClasses classes, IntegerMap null_vectors);
    /// Null vectors whose first num_classes entries belong to the classes; the others are zero.
    RowSpan(ColumnClasses classes, const std::vector<IntegerVector>& null_vectors);

    /// Whether the row is a rational combination of the rows: it keeps the classes, and every null
    /// vector annihilates it over Z. Exact, provided the null vectors are all there are. Costs the
    /// entries of the null vectors at the row's columns. Not for two threads at once. Throws
    /// NotAvailable when a sum exceeds 64 bits.
    [[nodiscard]] bool contains(std::span<const IntegerEntry> row) const;

    [[nodiscard]] const ColumnClasses& classes() const { return classes_; }

    [[nodiscard]] Index num_null_vectors() const { return digits_.num_outputs() / num_digits_; }

    /// A number B with |entry| < 2^B for every entry.
    [[nodiscard]] Index entry_bits() const { return (num_digits_ - 1) * kDigitBits + 64; }

    /// Calls visit(vector, class, entry modulo p) for the summands of all entries: one a digit.
    template <class Visit>
    void visit_residues(const Modulus& p, const Visit& visit) const {
        const Residue base = p.power(2, kDigitBits);
        for (const MapEntry& entry : digits_.entries()) {
            const auto place = static_cast<std::uint64_t>(entry.output % num_digits_);
            visit(entry.output / num_digits_,
                  entry.column,
                  p.multiply(p.power(base, place), p.reduce(entry.value)));
        }
    }

private:
    ColumnClasses classes_;
    Index num_digits_;
    IntegerMap digits_;  ///< output vector·num_digits + place
};

}  // namespace attest

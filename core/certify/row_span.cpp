#include "core/certify/row_span.hpp"

#include <algorithm>
#include <utility>

namespace attest {

namespace {

Index digits_needed(const std::vector<IntegerVector>& vectors) {
    Index bits = 1;
    for (const IntegerVector& v : vectors) {
        for (Index j = 0; j < v.size(); ++j) {
            bits = std::max(bits, bit_length(v(j)));
        }
    }
    return (bits + RowSpan::kDigitBits - 1) / RowSpan::kDigitBits;
}

IntegerMap to_digits(const std::vector<IntegerVector>& vectors, Index num_classes, Index places) {
    const Integer base = Integer(1) << RowSpan::kDigitBits;
    std::vector<MapEntry> entries;
    for (std::size_t i = 0; i < vectors.size(); ++i) {
        const Index first = static_cast<Index>(i) * places;
        for (Index j = 0; j < num_classes; ++j) {
            Integer rest = vectors[i](j);
            for (Index place = 0; rest != 0; ++place) {
                // Truncating division: digits carry the sign of the entry.
                const Integer digit(rest % base);
                if (digit != 0) {
                    entries.push_back({first + place, j, digit.convert_to<std::int64_t>()});
                }
                rest /= base;
            }
        }
    }
    return {static_cast<Index>(vectors.size()) * places, num_classes, std::move(entries)};
}

/// Whether Σ sums[k]·2^(48k) = 0, by carrying from the lowest place.
bool is_zero(std::span<const std::int64_t> sums) {
    constexpr std::int64_t kBase = std::int64_t{1} << RowSpan::kDigitBits;
    std::int64_t carry = 0;
    for (std::size_t place = 0; place + 1 < sums.size(); ++place) {
        // |carry| ≤ 2¹⁶, so only the lower bits of the sum can meet it without overflow.
        const std::int64_t low = sums[place] % kBase + carry;
        if (low % kBase != 0) {
            return false;
        }
        carry = sums[place] / kBase + low / kBase;
    }
    return sums.back() == -carry;
}

}  // namespace

RowSpan::RowSpan(ColumnClasses classes, IntegerMap null_vectors)
    : classes_(std::move(classes)), num_digits_(1), digits_(std::move(null_vectors)) {}

RowSpan::RowSpan(ColumnClasses classes, const std::vector<IntegerVector>& null_vectors)
    : classes_(std::move(classes)),
      num_digits_(digits_needed(null_vectors)),
      digits_(to_digits(null_vectors, classes_.num_classes(), num_digits_)) {}

bool RowSpan::contains(std::span<const IntegerEntry> row) const {
    const std::optional<ClassRow> projected = classes_.project(row);
    if (!projected) {
        return false;
    }
    const std::vector<std::int64_t> sums = digits_.apply(*projected);
    const auto places = static_cast<std::size_t>(num_digits_);
    for (std::size_t first = 0; first < sums.size(); first += places) {
        if (!is_zero(std::span(sums).subspan(first, places))) {
            return false;
        }
    }
    return true;
}

}  // namespace attest

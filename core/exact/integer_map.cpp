#include "core/exact/integer_map.hpp"

#include "core/base/error.hpp"

#include <algorithm>

namespace attest {

IntegerMap::IntegerMap(Index num_outputs, Index num_columns, std::vector<MapEntry> entries)
    : num_outputs_(num_outputs),
      entries_(std::move(entries)),
      first_(static_cast<std::size_t>(num_columns) + 1, 0) {
    for (const MapEntry& entry : entries_) {
        require(0 <= entry.column && entry.column < num_columns && 0 <= entry.output &&
                    entry.output < num_outputs,
                "IntegerMap: an entry lies outside the matrix");
        ++first_[static_cast<std::size_t>(entry.column) + 1];
    }
    for (std::size_t j = 1; j < first_.size(); ++j) {
        first_[j] += first_[j - 1];
    }
    std::stable_sort(entries_.begin(), entries_.end(), [](const MapEntry& a, const MapEntry& b) {
        return a.column < b.column;
    });
}

std::vector<std::int64_t> IntegerMap::apply(std::span<const IntegerEntry> row) const {
    std::vector<std::int64_t> sums(static_cast<std::size_t>(num_outputs_), 0);
    bool wraps = false;
    for (const IntegerEntry& entry : row) {
        const auto j = static_cast<std::size_t>(entry.column);
        for (std::size_t i = first_[j]; i < first_[j + 1]; ++i) {
            std::int64_t product = 0;
            std::int64_t& sum = sums[static_cast<std::size_t>(entries_[i].output)];
            wraps |= __builtin_mul_overflow(entry.value, entries_[i].value, &product);
            wraps |= __builtin_add_overflow(sum, product, &sum);
        }
    }
    if (wraps) {
        throw NotAvailable("IntegerMap: a sum exceeds 64 bits");
    }
    return sums;
}

}  // namespace attest

#include "core/exact/integer_rows.hpp"

#include "core/base/error.hpp"
#include "core/base/progress_scope.hpp"
#include "core/exact/float_echelon.hpp"
#include "core/exact/row_basis.hpp"

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

ModularMatrix select_rows(const Modulus& p,
                          const IntegerRows& rows,
                          const std::vector<Index>& numbers) {
    std::vector<std::pair<Index, Index>> wanted;  // (row, position in the result), by row
    wanted.reserve(numbers.size());
    for (const Index number : numbers) {
        wanted.emplace_back(number, static_cast<Index>(wanted.size()));
    }
    std::sort(wanted.begin(), wanted.end());
    ModularMatrix selected(static_cast<Index>(numbers.size()), rows.num_columns());
    auto next = wanted.begin();
    for (Index b = 0; b < rows.num_blocks() && next != wanted.end(); ++b) {
        if (next->first >= rows.first_row(b + 1)) {
            continue;
        }
        const ModularMatrix block = rows.block(p, b);
        for (; next != wanted.end() && next->first < rows.first_row(b + 1); ++next) {
            std::copy_n(block.row(next->first - rows.first_row(b)),
                        block.cols(),
                        selected.row(next->second));
        }
    }
    require(next == wanted.end(), "select_rows: a row number is out of range");
    return selected;
}

namespace {

/// Rows eliminated together: a product with so many is fast, and few are left over at the end.
constexpr Index kEchelonRows = 256;

RankProfile rank_profile_in_doubles(const Modulus& p, const IntegerRows& rows) {
    FloatEchelon form(p, rows.num_columns(), kEchelonRows);
    for (Index b = 0; b < rows.num_blocks() && form.rank() < rows.num_columns(); ++b) {
        form.append(rows.block(p, b));
        note_progress("rank", form.rank(), rows.num_columns());
    }
    form.flush();
    return {p.prime(), form.pivot_rows(), form.pivots()};
}

}  // namespace

RankProfile rank_profile(const Modulus& p, const IntegerRows& rows) {
    if (p.prime() < kFloatPrimeBound) {
        return rank_profile_in_doubles(p, rows);
    }
    ModularRowBasis basis(p, rows.num_columns(), {.screens = screens_for(p)});
    for (Index b = 0; b < rows.num_blocks() && basis.rank() < rows.num_columns(); ++b) {
        const ModularMatrix block = rows.block(p, b);
        basis.append(block, ModularMatrix(block.rows(), 0));
        note_progress("rank", basis.rank(), rows.num_columns());
    }
    basis.flush();
    return {p.prime(), basis.pivot_rows(), basis.pivots()};
}

RankProfile higher_rank_profile(const IntegerRows& rows,
                                const Modulus& first,
                                const Modulus& second,
                                Index full) {
    RankProfile profile = rank_profile(first, rows);
    if (profile.rank() >= full) {
        return profile;
    }
    RankProfile other = rank_profile(second, rows);
    return other.rank() >= profile.rank() ? other : profile;
}

}  // namespace attest

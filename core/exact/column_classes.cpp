#include "core/exact/column_classes.hpp"

#include "core/base/choice.hpp"
#include "core/base/error.hpp"
#include "core/exact/modulus.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <utility>

namespace attest {

namespace {

constexpr Choices<ClassOrder, 2> kClassOrderNames{
    {{ClassOrder::lowest_first, "lowest_first"}, {ClassOrder::rarest_first, "rarest_first"}}};

}  // namespace

std::string_view to_string(ClassOrder order) {
    return name_of(kClassOrderNames, order);
}

ColumnClasses::ColumnClasses(Index num_columns)
    : sums_(static_cast<std::size_t>(num_columns), 0),
      uses_(static_cast<std::size_t>(num_columns), 0),
      classes_(static_cast<std::size_t>(num_columns), -1),
      signs_(static_cast<std::size_t>(num_columns), 1) {}

void ColumnClasses::observe(std::span<const IntegerEntry> row) {
    require(representatives_.empty(), "ColumnClasses: the classes are closed");
    const std::uint64_t weight = split_mix(++rows_);
    for (const IntegerEntry& entry : row) {
        const auto at = static_cast<std::size_t>(entry.column);
        require(at < sums_.size(), "ColumnClasses: the row is too long");
        sums_[at] += weight * static_cast<std::uint64_t>(entry.value);
        ++uses_[at];
    }
}

void ColumnClasses::close(ClassOrder order) {
    std::unordered_map<std::uint64_t, Index> known;
    for (std::size_t j = 0; j < sums_.size(); ++j) {
        if (uses_[j] == 0) {
            continue;
        }
        ++num_active_;
        const std::uint64_t key = std::min(sums_[j], std::uint64_t{0} - sums_[j]);
        const auto [found, is_new] = known.emplace(key, num_classes());
        if (is_new) {
            representatives_.push_back(static_cast<Index>(j));
            sizes_.push_back(0);
        }
        const auto number = static_cast<std::size_t>(found->second);
        ++sizes_[number];
        classes_[j] = found->second;
        const auto first = static_cast<std::size_t>(representatives_[number]);
        signs_[j] = sums_[j] == sums_[first] ? 1 : -1;
    }
    if (order == ClassOrder::rarest_first) {
        number_by_rarity();
    }
    value_.assign(representatives_.size(), 0);
    count_.assign(representatives_.size(), 0);
}

void ColumnClasses::number_by_rarity() {
    std::vector<Index> old(representatives_.size());
    std::iota(old.begin(), old.end(), Index{0});
    std::stable_sort(old.begin(), old.end(), [&](Index a, Index b) {
        return uses_[static_cast<std::size_t>(representative(a))] <
               uses_[static_cast<std::size_t>(representative(b))];
    });
    std::vector<Index> renumbered(old.size());
    std::vector<Index> representatives(old.size());
    std::vector<Index> sizes(old.size());
    for (std::size_t number = 0; number < old.size(); ++number) {
        const auto from = static_cast<std::size_t>(old[number]);
        renumbered[from] = static_cast<Index>(number);
        representatives[number] = representatives_[from];
        sizes[number] = sizes_[from];
    }
    for (Index& number : classes_) {
        number = number < 0 ? number : renumbered[static_cast<std::size_t>(number)];
    }
    representatives_ = std::move(representatives);
    sizes_ = std::move(sizes);
}

std::optional<ClassRow> ColumnClasses::project(std::span<const IntegerEntry> row) const {
    ClassRow projected;
    bool fits = true;
    for (const IntegerEntry& entry : row) {
        const Index number = class_of(entry.column);
        if (number < 0) {
            fits = false;
            break;
        }
        const auto at = static_cast<std::size_t>(number);
        const std::int64_t value = sign(entry.column) * entry.value;
        if (count_[at] == 0) {
            value_[at] = value;
            projected.push_back({number, value});
        }
        fits = fits && value_[at] == value;
        ++count_[at];
    }
    for (const IntegerEntry& entry : projected) {
        const auto at = static_cast<std::size_t>(entry.column);
        fits = fits && count_[at] == sizes_[at];
        value_[at] = 0;
        count_[at] = 0;
    }
    if (!fits) {
        return std::nullopt;
    }
    return projected;
}

}  // namespace attest

#pragma once

#include "core/base/shape.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace attest {

/// One nonzero entry of a row of integers.
struct IntegerEntry {
    Index column = 0;
    std::int64_t value = 0;

    friend bool operator==(const IntegerEntry&, const IntegerEntry&) = default;
};

/// The entries of a row that stand for all others: one a class of columns, columns being class
/// numbers.
using ClassRow = std::vector<IntegerEntry>;

/// How classes are numbered. Elimination takes its pivots from the first columns, so this chooses
/// the basic solution.
enum class ClassOrder : std::uint8_t {
    lowest_first,  ///< by representative
    rarest_first,  ///< by the number of rows with a nonzero entry, ascending, then as above
};

[[nodiscard]] std::string_view to_string(ClassOrder order);

/// Columns of a sparse integer matrix that agree up to sign on every row shown, so that one of them
/// stands for all. Structured features repeat a lot: elimination needs the classes only. Classes
/// are found by weighing rows with pseudorandom words; `project` then checks them row by row, so
/// nothing rests on chance.
class ColumnClasses {
public:
    explicit ColumnClasses(Index num_columns);

    /// Pass 1: takes a row, each column at most once.
    void observe(std::span<const IntegerEntry> row);
    /// Ends pass 1. Representatives are the lowest columns.
    void close(ClassOrder order = ClassOrder::lowest_first);

    [[nodiscard]] Index num_columns() const { return static_cast<Index>(sums_.size()); }

    /// Columns with a nonzero entry in some row.
    [[nodiscard]] Index num_active() const { return num_active_; }

    [[nodiscard]] Index num_classes() const { return static_cast<Index>(representatives_.size()); }

    /// The class of a column, −1 if it was never active.
    [[nodiscard]] Index class_of(Index column) const {
        return classes_[static_cast<std::size_t>(column)];
    }

    /// ±1: column = sign · representative.
    [[nodiscard]] std::int64_t sign(Index column) const {
        return signs_[static_cast<std::size_t>(column)];
    }

    [[nodiscard]] Index representative(Index number) const {
        return representatives_[static_cast<std::size_t>(number)];
    }

    /// The row in terms of classes; no value when it breaks them: an entry in a column that was
    /// never active, or two columns of a class that differ. Such a row lies outside the row space.
    [[nodiscard]] std::optional<ClassRow> project(std::span<const IntegerEntry> row) const;

private:
    void number_by_rarity();

    std::vector<std::uint64_t> sums_;
    std::vector<Index> uses_;  ///< rows with an entry in the column
    std::vector<Index> classes_;
    std::vector<std::int64_t> signs_;
    std::vector<Index> representatives_;
    std::vector<Index> sizes_;
    std::uint64_t rows_ = 0;
    Index num_active_ = 0;
    mutable std::vector<std::int64_t> value_;  ///< scratch of project, zero between calls
    mutable std::vector<Index> count_;
};

}  // namespace attest

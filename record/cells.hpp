#pragma once

#include "record/summary.hpp"
#include "record/table.hpp"

#include <string>
#include <vector>

namespace attest {

// Cells that know the rows they come from. Nothing where those rows hold no such number.

/// A statistic of a group's metric; the standard error needs two rows.
[[nodiscard]] Cell cell_of(const RowGroup& group, Statistic statistic);

/// The group's value of its k-th field: a number as a number, anything else as text.
[[nodiscard]] Cell key_cell(const RowGroup& group, std::size_t k);

/// A metric of one row, whatever its status.
[[nodiscard]] Cell metric_cell(const Row& row, const std::string& metric);

/// A field of one row (record/summary.hpp), as key_cell.
[[nodiscard]] Cell setting_cell(const Row& row, const std::string& name);

/// A text that shows these rows' metric.
[[nodiscard]] Cell text_cell(std::string text, const std::vector<Row>& rows, std::string metric);

/// `compute` of these rows and of nothing else; `what` it is in words. NaN becomes nothing.
[[nodiscard]] Cell computed_cell(const std::vector<Row>& rows,
                                 std::string what,
                                 RowFunction compute);

/// Whether every row that has this metric has it exactly: a column of such may be called proved.
[[nodiscard]] bool are_exact(const std::vector<Row>& rows, const std::string& metric);

/// The same cell as a whole number: rounded, and shown without decimals.
[[nodiscard]] Cell whole(Cell cell);

/// The same cell as text: a setting that stands among texts.
[[nodiscard]] Cell as_text(Cell cell);

}  // namespace attest

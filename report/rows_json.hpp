#pragma once

#include "record/row.hpp"

#include <nlohmann/json_fwd.hpp>

#include <vector>

namespace attest {

/// Rows as one compact object for the report's table of rows:
/// {same: [[name, value]…], columns: [{name, kind, unit?}…], rows: [[cell…]…]}. `same` holds the
/// settings that no row differs in; kind is "setting", "metric" or "row"; a metric with a bound or
/// an exact value is the cell [value, bound, exact].
[[nodiscard]] nlohmann::ordered_json rows_json(const std::vector<Row>& rows);

}  // namespace attest

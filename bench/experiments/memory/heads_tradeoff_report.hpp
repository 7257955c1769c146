#pragma once

#include "record/derive/derived.hpp"
#include "record/row.hpp"

#include <string>
#include <vector>

namespace attest {

/// One line per number of heads, one column per method, a table per family; medians over
/// repetitions.
[[nodiscard]] std::string heads_tradeoff_text(const std::vector<Row>& rows);

/// Tables heads_tradeoff_FAMILY_dD, figure heads_tradeoff.
[[nodiscard]] Derived heads_tradeoff_derived(const std::vector<Row>& rows);

}  // namespace attest

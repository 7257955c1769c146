#pragma once

#include "record/derive/derived.hpp"
#include "record/row.hpp"

#include <string>
#include <vector>

namespace attest {

/// What takes rank away from the features of a row that holds its ranks, in a few words.
[[nodiscard]] std::string main_reason(const Row& row);

/// What text_identifiability shows on a terminal.
[[nodiscard]] std::string identifiability_text(const std::vector<Row>& rows);

/// Its table and figure.
[[nodiscard]] Derived identifiability_derived(const std::vector<Row>& rows);

}  // namespace attest

#pragma once

#include "record/derive/derived.hpp"
#include "record/row.hpp"

#include <string>
#include <vector>

namespace attest {

/// Names and shown numbers of `attest reproduce distil`.
[[nodiscard]] std::string distil_text(const std::vector<Row>& rows);
[[nodiscard]] Derived distil_derived(const std::vector<Row>& rows);

}  // namespace attest

#pragma once

#include "record/derive/derived.hpp"
#include "record/row.hpp"

#include <string>
#include <vector>

namespace attest {

/// Every size, and the powers with which the cost grows.
[[nodiscard]] std::string scaling_text(const std::vector<Row>& rows);

/// Table and figure scaling.
[[nodiscard]] Derived scaling_derived(const std::vector<Row>& rows);

}  // namespace attest

#pragma once

#include "record/derive/derived.hpp"
#include "record/row.hpp"

#include <string>
#include <vector>

namespace attest {

/// Limits and exponents by labels and token dimension.
[[nodiscard]] std::string sample_complexity_text(const std::vector<Row>& rows);

/// Tables sample_complexity and sample_complexity_slopes, figure sample_complexity.
[[nodiscard]] Derived sample_complexity_derived(const std::vector<Row>& rows);

}  // namespace attest

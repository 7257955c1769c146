#pragma once

#include "record/derive/derived.hpp"
#include "record/row.hpp"

#include <string>
#include <vector>

namespace attest {

/// Medians by violation and degree, and how well the prediction does.
[[nodiscard]] std::string robustness_text(const std::vector<Row>& rows);

/// Tables robustness and robustness_prediction, figure robustness.
[[nodiscard]] Derived robustness_derived(const std::vector<Row>& rows);

}  // namespace attest

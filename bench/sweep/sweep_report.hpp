#pragma once

#include "bench/sweep/sweep.hpp"
#include "record/derive/derived.hpp"
#include "record/row.hpp"

#include <string>
#include <vector>

namespace attest {

/// Medians over seeds, a line for each combination of the settings that vary, for a terminal.
[[nodiscard]] std::string sweep_text(const SweepPlan& plan, const std::vector<Row>& rows);

/// The same tables, NAME of what was learned and NAME_certify, and the figure that the plan asks
/// for.
[[nodiscard]] Derived sweep_derived(const SweepPlan& plan, const std::vector<Row>& rows);

}  // namespace attest

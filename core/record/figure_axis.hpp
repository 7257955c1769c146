#pragma once

#include "core/record/figure.hpp"
#include "core/record/figure_range.hpp"

#include <string>

namespace attest {

/// gnuplot commands for scale, range and ticks of the axis `name`, "x" or "y".
[[nodiscard]] std::string axis_commands(const std::string& name,
                                        const Axis& axis,
                                        const AxisRange& range);

}  // namespace attest

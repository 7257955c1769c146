#pragma once

#include "record/figure/figure.hpp"
#include "record/figure/range.hpp"

#include <string>

namespace attest {

/// gnuplot commands for scale, range and ticks of the axis `name`, "x" or "y".
[[nodiscard]] std::string axis_commands(const std::string& name,
                                        const Axis& axis,
                                        const AxisRange& range);

}  // namespace attest

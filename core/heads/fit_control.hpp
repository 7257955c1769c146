#pragma once

#include "core/base/shape.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

namespace attest {

/// How an iterative fit ended.
enum class FitEnd : std::uint8_t {
    target,       ///< the relative residual is at or below the target
    stationary,   ///< no step decreases the residual any more
    stalled,      ///< the decrease over the stall window is below the limit
    iterations,   ///< the iteration limit
    interrupted,  ///< the caller's predicate
};

[[nodiscard]] std::string_view to_string(FitEnd end);

/// When an iterative fit stops.
struct FitControl {
    Index max_iterations = 400;
    double target = 1e-14;            ///< relative residual that counts as exact
    Index stall_window = 30;          ///< iterations …
    double stall_decrease = 1e-3;     ///< … in which the residual must fall by this fraction
    std::function<bool()> interrupt;  ///< asked once an iteration; true stops with the best so far
};

/// Why a fit with these residuals (the start's and every accepted step's) and so many iterations
/// ends here; empty when it goes on. Asks the predicate last.
[[nodiscard]] std::optional<FitEnd> reason_to_stop(const std::vector<double>& history,
                                                   Index iterations,
                                                   const FitControl& control);

}  // namespace attest

#pragma once

#include "cli/head_reduction.hpp"
#include "core/heads/fit_heads.hpp"

namespace attest::cli {

/// ‖p̂ − p‖ ≤ this·‖p‖, evaluated from the heads, is what "the same function" means.
inline const double kSameFunction = HeadSearchOptions{}.tolerance;

/// So many heads suffice for every model of this size.
[[nodiscard]] Index most_heads(const FitTarget& target);

/// One line on standard error before long work: what it may cost and how it ends.
void state_cost(const std::string& work, const IterationCost& cost, double budget);

void report_bound(Report& report, const FitTarget& target, const HeadLowerBound& bound);

/// How far the heads are from the target, in its norm, and whether they are the same function.
void report_loss(Report& report, const FitTarget& target, const Parameters& heads);

/// Starts, streams and an end at the budget or at Ctrl-C, for variable projection.
[[nodiscard]] HeadFitOptions fit_options(const HeadRequest& request, const Stream& stream);

}  // namespace attest::cli

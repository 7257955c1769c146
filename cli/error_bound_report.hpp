#pragma once

#include "cli/report.hpp"
#include "core/solve/problem.hpp"

namespace attest::cli {

/// How a solve ended, in words that say what it presumes.
[[nodiscard]] std::string status_text(SolveStatus status);

/// How far the coefficients may be off; a bound that presumes something is no `error_bound`.
void report_error_bound(Report& report, const LeastSquaresFit& fit);

}  // namespace attest::cli

#pragma once

#include "cli/output.hpp"
#include "core/solve/problem.hpp"

namespace attest::cli {

/// How a solve ended, in words that say what it presumes.
[[nodiscard]] std::string status_in_words(SolveStatus status);

/// How far the coefficients may be off; a bound that presumes something is no `error_bound`.
void show_error_bound(Output& output, const LeastSquaresFit& fit);

}  // namespace attest::cli

#pragma once

#include <string>

namespace attest {

/// What a gnuplot script draws: runs `gnuplot` on it, without a shell, in a temporary directory
/// that is removed again. The script selects the terminal and never sets `output`. Throws
/// NotAvailable when gnuplot is not installed, EnvironmentFailure when it cannot be run or dies,
/// BrokenInvariant with its first message when it rejects the script.
[[nodiscard]] std::string run_gnuplot(const std::string& script);

}  // namespace attest

#pragma once

#include "core/solve/problem.hpp"

#include <string>

namespace attest {

/// Flops a second of one thread for each kind of work, and where they were measured.
struct Rates {
    WorkByKind per_second;
    std::string origin;  ///< "built in" or the calibration file
};

/// measure_rates() on one thread of a busy AVX-512 server with OpenBLAS 0.3.21 (Cooperlake): what
/// counts for the choice of a solver is their ratios.
[[nodiscard]] Rates built_in_rates();

/// The rates `attest doctor --calibrate` stored: the file ATTEST_RATES names, else
/// rates_path() where it exists, else built_in_rates(). Throws InvalidInput on a file that is not
/// of that form, or that ATTEST_RATES names but that is absent.
[[nodiscard]] Rates current_rates();

/// $XDG_CACHE_HOME/attest/rates.txt, or below ~/.cache; empty when neither variable is set.
[[nodiscard]] std::string rates_path();

/// One line "kind rate" for each kind, after a comment line.
[[nodiscard]] std::string to_text(const WorkByKind& per_second);
[[nodiscard]] WorkByKind rates_from_text(const std::string& text, const std::string& origin);

/// Σ flops / rate over `threads` threads, were they all busy.
[[nodiscard]] double predicted_seconds(const SolveCost& cost, const Rates& rates, int threads);

}  // namespace attest

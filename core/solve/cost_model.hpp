#pragma once

#include "core/solve/problem.hpp"

#include <string>

namespace attest {

// Flops and bytes of every solver, from the shape alone; iterations as on well-conditioned data.

[[nodiscard]] SolveCost gram64_cost(const SourceShape& shape);
[[nodiscard]] SolveCost gram32_cost(const SourceShape& shape);
[[nodiscard]] SolveCost kronecker_cost(const SourceShape& shape);
[[nodiscard]] SolveCost sketched_cost(const SourceShape& shape);
[[nodiscard]] SolveCost grouped_cost(const SourceShape& shape);
[[nodiscard]] SolveCost dual_cost(const SourceShape& shape);
[[nodiscard]] SolveCost tsqr_cost(const SourceShape& shape);
[[nodiscard]] SolveCost svd_cost(const SourceShape& shape);
[[nodiscard]] SolveCost normal_cost(const SourceShape& shape);
[[nodiscard]] SolveCost gels_cost(const SourceShape& shape);
[[nodiscard]] SolveCost gelsy_cost(const SourceShape& shape);
[[nodiscard]] SolveCost gelsd_cost(const SourceShape& shape);
[[nodiscard]] SolveCost bdcsvd_cost(const SourceShape& shape);
[[nodiscard]] SolveCost literal_cost(const SourceShape& shape);
[[nodiscard]] SolveCost reference_cost(const SourceShape& shape);

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

/// How fast this machine multiplies by current_rates(), relative to that of built_in_rates().
[[nodiscard]] double machine_speed();

/// $XDG_CACHE_HOME/attest/rates.txt, or below ~/.cache; empty when neither variable is set.
[[nodiscard]] std::string rates_path();

/// One line "kind rate" for each kind, after a comment line.
[[nodiscard]] std::string to_text(const WorkByKind& per_second);
[[nodiscard]] WorkByKind rates_from_text(const std::string& text, const std::string& origin);

/// Σ flops / rate over `threads` threads, were they all busy.
[[nodiscard]] double predicted_seconds(const SolveCost& cost, const Rates& rates, int threads);

/// Measures the rates of the solvers' kernels on one thread: the structured second moment at
/// d = 12, matrix products as the features' operator makes them, packed Cholesky of order 1200 and
/// streamed QR of 600 columns, 50-digit multiplications. In processor time, a quarter of a second
/// each: call with one BLAS thread.
[[nodiscard]] WorkByKind measure_rates();

}  // namespace attest

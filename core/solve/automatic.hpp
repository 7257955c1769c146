#pragma once

#include "core/solve/rates.hpp"
#include "core/solve/solvers.hpp"

#include <span>
#include <string_view>
#include <vector>

namespace attest {

/// The solvers `auto` would try for this shape, in order: dual where N < ψ; else the one of gram32,
/// gram64 (with a ridge and N < ψ: dual too) that the cost model finds cheapest among those that
/// fit in memory, kron where neither fits; then gram64, tsqr and svd, the last of which answers
/// whatever the rank.
[[nodiscard]] std::vector<std::string_view> automatic_chain(const SourceShape& shape,
                                                            const SolveOptions& options,
                                                            const Rates& rates);

/// Least squares by the chain: the next solver where one refuses or does not fit in memory, each
/// recorded in `attempts`. tsqr and svd share one factor. Throws EnvironmentFailure when none fits.
[[nodiscard]] LeastSquaresFit fit_automatic(const MomentSource& source,
                                            const SolveOptions& options,
                                            const Rates& rates);

/// Runs a solver and records time, memory and outcome as one more attempt behind `before`.
[[nodiscard]] LeastSquaresFit fit_recorded(const Solver& solver,
                                           const MomentSource& source,
                                           const SolveOptions& options,
                                           const Rates& rates,
                                           std::vector<SolveAttempt> before);

}  // namespace attest

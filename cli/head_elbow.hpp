#pragma once

#include "cli/head_reduction.hpp"

namespace attest::cli {

/// As many heads as noisy labels let one tell apart: fits 1, 2, … heads in the norm of the data and
/// takes the elbow of σ²(H) = loss / free entries. Reports the whole curve. Without an elbow, all
/// the heads of Algorithm 1. Throws InvalidInput for a target without data.
[[nodiscard]] Parameters heads_at_elbow(Report& report,
                                        const FitTarget& target,
                                        const HeadRequest& request,
                                        const Stream& stream);

}  // namespace attest::cli

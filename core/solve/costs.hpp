#pragma once

#include "core/solve/problem.hpp"

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

}  // namespace attest

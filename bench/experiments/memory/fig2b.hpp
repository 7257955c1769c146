#pragma once

#include "bench/experiments/memory/fig2.hpp"
#include "record/experiment.hpp"

#include <memory>

namespace attest {

/// Heads trained by Adam on the exact labels of a setting. Metrics: train_relative; distance and
/// relative_distance of p from the truth; relative_bound on the latter where λ_min > 0;
/// ood_relative on fresh Gaussian sequences; lambda_min and rank of the data; diverged (0 or 1).
[[nodiscard]] Case memory_training_case(const Fig2Setting& setting,
                                        Index heads,
                                        Index updates,
                                        const std::shared_ptr<Fig2Problems>& problems);

}  // namespace attest

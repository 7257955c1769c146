#pragma once

// Figure 2 (b) of arXiv 2410.10101: heads trained by gradient descent on the associative memory of
// Figure 2 (a). The paper's claim: with λ_min(Λ_D) near 0.06 training finds the true coefficients,
// with λ_min = 0 it ends far from them.
//
// Expected outcome: with λ_min > 0 the distance is bounded by the training loss, ‖p̂ − p‖² ≤
// loss/λ_min (Lemma A.7), whatever the heads. With λ_min = 0 many heads fit every label and end far
// from the truth, but few heads may still return it: that p̂ is made of few heads is knowledge which
// the certificate does not use. A training cut short looks like missing identifiability, so every
// distance stands beside its training loss.

#include "bench/experiments/memory/fig2_problem.hpp"
#include "record/experiment.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace attest {

/// Heads trained by Adam on the exact labels of a setting. Metrics: train_relative; distance and
/// relative_distance of p from the truth; relative_bound on the latter where λ_min > 0;
/// ood_relative on fresh Gaussian sequences; lambda_min and rank of the data; diverged (0 or 1).
[[nodiscard]] Case memory_training_case(const Fig2Setting& setting, Index heads, Index updates);

/// Cases: mixture × repetition × teacher × heads × updates.
[[nodiscard]] Experiment make_fig2b(Profile profile, std::uint64_t seed);

/// One line for each teacher, mixture, number of heads and budget, medians over seeds.
[[nodiscard]] std::string fig2b_text(const std::vector<Row>& rows);

/// tables/fig2b.{csv,md}, figures/fig2b.svg.
[[nodiscard]] std::vector<std::filesystem::path> derive_fig2b(const std::vector<Row>& rows,
                                                              const std::filesystem::path& folder);

}  // namespace attest

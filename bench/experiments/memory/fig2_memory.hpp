#pragma once

// Figure 2 of arXiv 2410.10101: associative memory. Data mix Gaussian and unitary sequences; the
// paper's claim is that the distance between the learned and the true coefficients falls as
// λ_min(Λ_D) grows.
//
// Expected outcome: λ_min falls to 0 with the number of Gaussian sequences, and is exactly 0 on
// unitary data alone (nullity 2d(d²−1)/3). Whether the distance follows depends on which minimiser
// a learner returns and on which teacher made the labels: the minimum-norm fit of the paper's own
// teacher is exact even at λ_min = 0.

#include "record/experiment.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace attest {

/// Cases: mixture × teacher × seed × learner, and exact ranks on rational orthogonal keys.
[[nodiscard]] Experiment make_fig2(Profile profile, std::uint64_t seed);

/// One line per mixture and learner, medians over seeds.
[[nodiscard]] std::string fig2_text(const std::vector<Row>& rows);

/// tables/fig2.{csv,md}, tables/fig2_rank.{csv,md}, figures/fig2.svg.
[[nodiscard]] std::vector<std::filesystem::path> derive_fig2(const std::vector<Row>& rows,
                                                             const std::filesystem::path& folder);

}  // namespace attest

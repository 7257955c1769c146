#pragma once

// Figure 1 of arXiv 2410.10101: one layer of linear attention with 1 to 64 heads, trained by
// gradient descent on random linear attention, beside Algorithm 1.
//
// Expected outcome: with d² heads gradient descent reaches the floor of floating point in every
// seed, as Algorithm 1 does from one sequence in a fraction of the time. The time to a given error
// falls with the number of heads, but the final error is not monotone in it: a few heads may be
// worse than one.

#include "record/experiment.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace attest {

/// Cases: d × repetition × (Algorithm 1, heads × rate × batch).
[[nodiscard]] Experiment make_fig1(Profile profile, std::uint64_t seed);

/// One line per d and learner.
[[nodiscard]] std::string fig1_text(const std::vector<Row>& rows);

/// tables/fig1.{csv,md}, tables/fig1_seeds.{csv,md}, figures/fig1.svg, fig1_cost.svg,
/// fig1_final.svg.
[[nodiscard]] std::vector<std::filesystem::path> derive_fig1(const std::vector<Row>& rows,
                                                             const std::filesystem::path& folder);

}  // namespace attest

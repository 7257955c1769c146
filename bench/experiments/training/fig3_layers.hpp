#pragma once

// Figure 3 of arXiv 2410.10101: 1, 2 and 4 layers of single-head linear attention with residual
// connections, and a transformer, on the data of Figure 1.
//
// Expected outcome: every stack can represent the teacher, whose layer may be the last one with the
// others at zero, yet more layers end higher at the same number of updates; so does the
// transformer, which cannot represent it.

#include "record/experiment.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace attest {

/// Cases: d × repetition × (Algorithm 1, layers × rate), and a transformer at d = 4 in single
/// precision.
[[nodiscard]] Experiment make_fig3(Profile profile, std::uint64_t seed);

/// One line per d and learner.
[[nodiscard]] std::string fig3_text(const std::vector<Row>& rows);

/// tables/fig3.{csv,md}, tables/fig3_seeds.{csv,md}, figures/fig3.svg, fig3_cost.svg.
[[nodiscard]] std::vector<std::filesystem::path> derive_fig3(const std::vector<Row>& rows,
                                                             const std::filesystem::path& folder);

}  // namespace attest

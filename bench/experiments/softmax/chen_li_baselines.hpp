#pragma once

// The six phases beside generic optimisation on the same data: Levenberg–Marquardt from one random
// start, and Adam.
//
// Expected outcome: Levenberg–Marquardt wins in time and samples at these sizes; it meets a local
// minimum in some runs with m = 3. Adam does not reach exactness where the heads are saturated.

#include "record/experiment.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace attest {

/// Cases: setting × repetition × learner (six_phases, levenberg_marquardt, adam).
[[nodiscard]] Experiment make_chen_li_baselines(Profile profile, std::uint64_t seed);
[[nodiscard]] std::string chen_li_baselines_text(const std::vector<Row>& rows);
[[nodiscard]] std::vector<std::filesystem::path> derive_chen_li_baselines(
    const std::vector<Row>& rows, const std::filesystem::path& folder);

}  // namespace attest

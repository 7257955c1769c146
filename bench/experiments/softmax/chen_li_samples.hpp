#pragma once

// How many examples the six phases need for m = 1, 2, 3 heads, beside Levenberg–Marquardt from one
// random start, which needs as many as there are unknowns.
//
// Expected outcome: about 10², 3·10², 10⁵ for the phases: a factor of hundreds from m = 2 to m = 3.

#include "record/experiment.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace attest {

/// Cases: m × number of examples × repetition × learner (six_phases, levenberg_marquardt).
[[nodiscard]] Experiment make_chen_li_samples(Profile profile, std::uint64_t seed);
[[nodiscard]] std::string chen_li_samples_text(const std::vector<Row>& rows);
[[nodiscard]] std::vector<std::filesystem::path> derive_chen_li_samples(
    const std::vector<Row>& rows, const std::filesystem::path& folder);

}  // namespace attest

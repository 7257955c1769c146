#pragma once

// How often the heads agree to within ε on a row of a Gaussian sequence: P ≈ const·ε^{(m−1)(k−1)},
// the reason for the exponential dependence of the algorithm's sample size on m.
//
// Expected outcome: slopes near 1, 1.9, 2.8 for m = 2, 3, 4 at k = 2, and 1.9, 2.9 for k = 3, 4 at
// m = 2 (below the integers, since all p ≥ 0.05 is asked for).

#include "record/experiment.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace attest {

/// Cases: (k, m) × norm, no learner.
[[nodiscard]] Experiment make_chen_li_rarity(Profile profile, std::uint64_t seed);
[[nodiscard]] std::string chen_li_rarity_text(const std::vector<Row>& rows);
[[nodiscard]] std::vector<std::filesystem::path> derive_chen_li_rarity(
    const std::vector<Row>& rows, const std::filesystem::path& folder);

}  // namespace attest

#pragma once

// The six phases of arXiv 2402.04084: how far each quantity is from the truth after each phase, for
// every law of inputs and every kind of Θ.
//
// Expected outcome: the error of Σ W falls from 0.15–0.25 to below 10⁻³, the hull is right to below
// 10⁻², the net's winner to below 0.1, without polish. Diagonal Θ on Boolean inputs fail: their
// logits take too few values for near-agreement to be found.

#include "record/experiment.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace attest {

/// Cases: setting × repetition, learner "six_phases".
[[nodiscard]] Experiment make_chen_li_phases(Profile profile, std::uint64_t seed);
[[nodiscard]] std::string chen_li_phases_text(const std::vector<Row>& rows);
[[nodiscard]] std::vector<std::filesystem::path> derive_chen_li_phases(
    const std::vector<Row>& rows, const std::filesystem::path& folder);

}  // namespace attest

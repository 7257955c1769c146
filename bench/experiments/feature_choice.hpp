#pragma once

// Section 4 of docs/programs.md in numbers: what a learner of traces saves when it is told more, or
// shown less. Typed heads: only features that heads with the program's block types can read.
// Compressed tokens: every token z becomes E z with a random matrix E of signs with fewer rows.
//
// Expected outcome: types leave a fraction of the features and of the training tokens. Compressed
// tokens keep everything while the cubic features of their d rows, psi(d), exceed the rank, and
// need as many training tokens as before; with fewer rows labels contradict each other and learning
// is refused.

#include "core/record/experiment.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace attest {

/// Cases: program × way of looking at tokens × repetition.
[[nodiscard]] Experiment make_feature_choice(Profile profile, std::uint64_t seed);

/// One line for each program and way, medians over repetitions.
[[nodiscard]] std::string feature_choice_text(const std::vector<Row>& rows);

/// tables/feature_choice.{csv,md}.
[[nodiscard]] std::vector<std::filesystem::path> derive_feature_choice(
    const std::vector<Row>& rows, const std::filesystem::path& folder);

}  // namespace attest

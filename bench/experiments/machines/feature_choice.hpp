#pragma once

// What a learner of traces saves when it is told more, or shown less. Typed heads: only features
// that heads with the program's block types can read. Compressed tokens: every token z becomes E z
// with a random matrix E of signs with fewer rows.
//
// Expected outcome: types leave about half of the features, and a smaller rank, but training tokens
// are spared only where the features left out were the last to be determined. Compressed tokens
// keep everything while the rank survives, and then need the same training tokens. psi(d) must be
// at least the rank for that, which does not suffice. Where the rank is lost, labels contradict
// each other and learning is refused.

#include "record/experiment.hpp"

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

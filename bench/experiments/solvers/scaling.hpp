#pragma once

#include "core/base/shape.hpp"
#include "record/experiment.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace attest {

/// One problem of the study: tokens of dimension d, n a sequence, and the number of sequences.
struct ScalingSize {
    Index d = 0;
    Index n = 0;
    Index num_examples = 0;
};

/// Where the other two stay while one grows: N = 2ψ, 8 tokens, d = 12 (8 in the quick profile).
inline constexpr Index kScalingRatio = 2;
inline constexpr Index kScalingTokens = 8;
inline constexpr Index kScalingDimension = 12;

[[nodiscard]] std::vector<ScalingSize> scaling_sizes(Profile profile);

/// The experiment `scaling`: what a full solve costs on one thread as d grows, as N grows and as n
/// grows; and what the fitted law of d says of sizes that no machine at hand can reach.
[[nodiscard]] Experiment make_scaling(Profile profile, std::uint64_t seed);
[[nodiscard]] std::string scaling_text(const std::vector<Row>& rows);
[[nodiscard]] std::vector<std::filesystem::path> derive_scaling(
    const std::vector<Row>& rows, const std::filesystem::path& folder);

}  // namespace attest

#pragma once

#include "core/base/shape.hpp"
#include "record/profile.hpp"

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

}  // namespace attest

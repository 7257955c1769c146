#pragma once

#include "bench/experiments/frame/group_table.hpp"
#include "core/base/shape.hpp"
#include "record/derive/derived.hpp"
#include "record/parameter.hpp"
#include "record/row.hpp"

#include <array>
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

/// A problem and what it cost.
struct Solved {
    ScalingSize size;
    double seconds;
    double flops;
    double bytes;
    Row row;  ///< that measured it, or that it is extrapolated from
};

[[nodiscard]] std::vector<Solved> solved_sizes(const std::vector<Row>& rows);

/// One of the three studies: what grows, and the problems that differ in that alone.
struct Sweep {
    std::string name;
    Index ScalingSize::*variable;
    std::vector<Solved> points;

    [[nodiscard]] double at(std::size_t i) const {
        return static_cast<double>(points[i].size.*variable);
    }
};

/// The token dimension, the number of sequences, the tokens of one; each by ascending size.
[[nodiscard]] std::array<Sweep, 3> sweeps(const std::vector<Solved>& points);

/// A law is fitted to no fewer sizes than this.
inline constexpr std::size_t kFewestForALaw = 4;

/// Through the larger half of the sizes: small ones are all overhead.
[[nodiscard]] PowerLaw law_of(const Sweep& sweep);

/// Every size, and the powers with which the cost grows.
[[nodiscard]] std::string scaling_text(const std::vector<Row>& rows);

/// Table and figure scaling.
[[nodiscard]] Derived scaling_derived(const std::vector<Row>& rows);

}  // namespace attest

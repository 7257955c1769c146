#pragma once

#include "bench/experiments/frame/power_law.hpp"
#include "bench/experiments/solvers/scaling.hpp"
#include "record/row.hpp"

#include <array>
#include <string>
#include <vector>

namespace attest {

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

}  // namespace attest

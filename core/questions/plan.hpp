#pragma once

#include "core/data/dataset.hpp"
#include "core/rng/stream.hpp"

#include <optional>
#include <string>

namespace attest {

/// How many draws (whole sequences) of a pilot's law reach a target. Draws are assumed independent,
/// of one law.
struct Plan {
    std::optional<Index> draws;    ///< the estimate; absent where the pilot is too small to say
    Index at_least = 0;            ///< the interval: fewer are not expected to do; proved where the
                                   ///< method says so
    std::optional<Index> at_most;  ///< so many are expected to do
    Index pilot = 0;               ///< N
    Index psi = 0;
    Index rank = 0;  ///< of the pilot, modulo a prime
    std::string method;
    std::string assumes;
    std::string too_small;  ///< why the pilot does not say, else empty
};

/// For the rank that more draws would not raise. Twenty random orders of the pilot show when its
/// rank is reached: median, first, and last plus their difference. Where the last is in neither the
/// first half nor, thrice the difference added, the first 95 %, the rate of new directions is
/// extrapolated until half a direction is left: exponentially at the least, by a power law at the
/// most. Neither where the rate does not fall.
[[nodiscard]] Plan plan_rank(const Dataset& pilot, const Stream& stream);

/// So that a fresh draw is determined with probability `share`. By the share of draws that k others
/// determine, where the pilot shows it, else extrapolated alike; at most what the bounds of
/// coverage() need at confidence 0.95, which hold for every law.
[[nodiscard]] Plan plan_coverage(const Dataset& pilot, double share, const Stream& stream);

/// So that the excess risk of least squares under label noise of standard deviation `noise` in each
/// output is `error` in the mean: σ²·o·r/N·(1 + c/N), r the rank and c from examples held out of
/// halves of the pilot. At least: c = 0, which no design undercuts. At most: with probability 0.95
/// over the noise, by NoiseExcess::upper, at the largest c of all halves.
[[nodiscard]] Plan plan_error(const Dataset& pilot,
                              double error,
                              double noise,
                              const Stream& stream);

}  // namespace attest

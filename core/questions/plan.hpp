#pragma once

#include "core/data/dataset.hpp"
#include "core/questions/output.hpp"
#include "core/questions/verdict.hpp"
#include "core/rng/stream.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace attest {

/// What more draws of a pilot's law are to reach.
enum class PlanGoal : std::uint8_t {
    rank,      ///< the rank that still more would not raise
    coverage,  ///< a fresh draw is determined with a probability
    error,     ///< an excess risk of least squares under label noise
};

struct PlanRequest {
    PlanGoal goal = PlanGoal::rank;
    double value = 0.0;  ///< that probability, or that risk
    double noise = 0.0;  ///< standard deviation of the label noise; for the goal error
    std::string pilot_name = "the pilot";
};

/// The request behind "rank", "coverage=C" with 0 < C < 1, or "error=E" with E > 0, which needs the
/// noise. Throws UnknownName.
[[nodiscard]] PlanRequest plan_request(const std::string& target, std::optional<double> noise);

/// That text again.
[[nodiscard]] std::string to_string(const PlanRequest& request);

/// How many draws (whole sequences) of a pilot's law reach a target. Draws are assumed independent,
/// of one law.
struct Plan {
    std::optional<Index> draws;    ///< the estimate; absent where the pilot is too small to say
    Index at_least = 0;            ///< the interval: fewer are not expected to do; proved where the
                                   ///< method says so
    std::optional<Index> at_most;  ///< so many are expected to do
    Index pilot = 0;               ///< N
    Index psi = 0;
    Index rank = 0;            ///< of the pilot, modulo a prime
    bool is_complete = false;  ///< no draw can raise it; of the goal rank
    std::string method;
    std::string assumes;
    std::string too_small;  ///< why the pilot does not say, else empty
};

/// What the eliminations of a plan take at most, estimated from sizes alone.
[[nodiscard]] double plan_seconds(const Dataset& pilot, const PlanRequest& request);

/// By the goal's method, one of the next three.
[[nodiscard]] Plan plan(const Dataset& pilot, const PlanRequest& request, const Stream& stream);

/// Yes where there is a plan, undecided where the pilot is too small to say.
[[nodiscard]] Decision decision(const Plan& plan);

/// What was asked, of which pilot, and so many examples.
[[nodiscard]] Output describe(const PlanRequest& asked, const Layer& layer, const Plan& plan);

/// For the rank that more draws would not raise. Twenty random orders of the pilot show when its
/// rank is reached: median, first, and last plus their difference, at most the pilot where it has
/// all rank that its lengths allow. Else, where the last is in neither the first half nor, thrice
/// the difference added, the first 95 %, the rate of new directions is extrapolated until half a
/// direction is left, exponentially and by a power law; where both end within the pilot the orders
/// count. Undecided where the rate does not fall, the two differ tenfold, or of fewer than 8 draws.
[[nodiscard]] Plan plan_rank(const Dataset& pilot, const Stream& stream);

/// So that a fresh draw is determined with probability `share`. By the share of draws that k others
/// determine, where the pilot shows it, else extrapolated alike; at most what the bounds of
/// coverage() need at confidence 0.95, which hold for every law.
[[nodiscard]] Plan plan_coverage(const Dataset& pilot, double share, const Stream& stream);

/// So that the excess risk of least squares under label noise of standard deviation `noise` in each
/// output is `error` in the mean: σ²·o·r/(N·e)·(1 + c/N), r the rank, e the examples of a draw
/// (more than one where prefixes have labels) and c from examples held out of halves of the pilot.
/// At least: c = 0, which no design undercuts. At most: with probability 0.95 over the noise, by
/// NoiseExcess::upper, at the largest c of all halves.
[[nodiscard]] Plan plan_error(const Dataset& pilot,
                              double error,
                              double noise,
                              const Stream& stream);

}  // namespace attest

#pragma once

#include "cli/command.hpp"
#include "cli/report.hpp"
#include "core/heads/minimal_heads.hpp"

#include <cstdint>
#include <string>

namespace attest::cli {

/// How a model's coefficients are to be split into heads.
enum class HeadChoice : std::uint8_t {
    svd,     ///< Algorithm 1's heads
    fewest,  ///< the fewest that compute the same function
    elbow,   ///< as many as the labels' noise lets one tell apart
    count,   ///< the best approximation with so many
};

/// What `learn --heads` and the options of `heads` ask for.
struct HeadRequest {
    HeadChoice choice = HeadChoice::svd;
    Index count = 0;
    double budget = 60.0;  ///< seconds
    Index starts = 0;      ///< for every number of heads; 0: the library's default
};

/// The request behind "svd", "min", "elbow" or a number of heads ≥ 1. Throws UnknownName.
[[nodiscard]] HeadRequest head_request(const std::string& text);

/// Adds --budget and --starts to a command.
void add_head_options(CLI::App& app, HeadRequest& request);

/// Heads instead of the target's coefficients: the fewest or the best so many, as requested. States
/// the cost on standard error before it starts and the progress while it runs; at the end of the
/// budget or at an interrupt it keeps the best so far. Adds what was found to the report. Throws
/// InvalidInput when the count is out of range for the target.
[[nodiscard]] Parameters reduce_heads(Report& report,
                                      const FitTarget& target,
                                      const HeadRequest& request,
                                      std::uint64_t seed);

}  // namespace attest::cli

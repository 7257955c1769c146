#pragma once

// How fast one layer of linear attention is trained: our engine, through residuals and through
// moments, beside torch on the same data, batch size, precision and number of threads. An update is
// a gradient and a step of Adam; what does not change during training is prepared before.
//
// Expected outcome: the engine's moments make at least 50 updates in the time of one of torch's
// over heads and prefixes (d = 4, H = 16). Torch gains from moments too, but a step over so few
// numbers is mostly the price of its calls.

#include "record/experiment.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace attest {

/// Cases: (d, heads) × round × contender. Metrics: seconds and cpu_seconds of one update,
/// error_before and error_after (relative mean squared error on the training data).
[[nodiscard]] Experiment make_training_speed(Profile profile, std::uint64_t seed);

/// One line per size and contender, the fastest round.
[[nodiscard]] std::string training_speed_text(const std::vector<Row>& rows);

/// tables/training_speed.{csv,md}.
[[nodiscard]] std::vector<std::filesystem::path> derive_training_speed(
    const std::vector<Row>& rows, const std::filesystem::path& folder);

}  // namespace attest

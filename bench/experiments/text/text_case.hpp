#pragma once

#include "record/experiment.hpp"
#include "tasks/text/text_task.hpp"

#include <string>

namespace attest {

/// Prepares a text for an experiment. Throws NotAvailable when the built-in one is not there.
[[nodiscard]] TextTask experiment_text(const TextOptions& options);

/// What rows call the text: "common-licenses", or the path that the user gave.
[[nodiscard]] std::string text_name(const std::string& path);

/// An experiment on this text, which decides its cases like any other parameter.
[[nodiscard]] Experiment text_experiment(const char* id,
                                         Profile profile,
                                         std::uint64_t seed,
                                         const std::string& path);

/// A number that is exact.
[[nodiscard]] Metric exact_metric(Index value);

/// "common-licenses: 0.95 % of the test part's 8-grams occur in training" for a table's head.
[[nodiscard]] std::string leak_line(const std::vector<Row>& rows);

}  // namespace attest

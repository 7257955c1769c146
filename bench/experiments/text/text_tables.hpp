#pragma once

#include "record/derive/derived.hpp"
#include "record/derive/experiment_entry.hpp"
#include "record/experiment.hpp"
#include "tasks/text/text_task.hpp"

#include <string>
#include <vector>

namespace attest {

/// What N windows determine, heads against the floor of least squares, and which representations
/// are certified: three panels from text_coverage, text_learning and text_identifiability.
[[nodiscard]] JointFigure text_figure();

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

// Each stands in the file of its name and reads the text at `path`, a file or a folder.
[[nodiscard]] ExperimentEntry text_identifiability(const std::string& path);
[[nodiscard]] ExperimentEntry text_learning(const std::string& path);
[[nodiscard]] ExperimentEntry text_coverage(const std::string& path);
[[nodiscard]] ExperimentEntry text_wide(const std::string& path);
[[nodiscard]] ExperimentEntry text_sketch(const std::string& path);

/// All of them, on the text at `path`; on Debian's licences where it is empty.
[[nodiscard]] std::vector<ExperimentEntry> text_experiments(const std::string& path);

}  // namespace attest

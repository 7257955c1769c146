#pragma once

#include "record/derive/experiment_entry.hpp"
#include "report/result_set.hpp"

#include <filesystem>
#include <optional>
#include <vector>

namespace attest {

/// What `attest reproduce` runs: every experiment, then the claims. `results` is the folder of
/// committed rows that claims about experiments read.
[[nodiscard]] std::vector<ExperimentEntry> catalogue(const std::filesystem::path& results);

/// What wrote a result file: an experiment of the catalogue, or the sweep whose text its rows
/// carry. Nothing where this program knows neither.
[[nodiscard]] std::optional<ExperimentEntry> experiment_behind(const ResultEntry& entry);

/// Tables and figures of a result file. None where nothing known wrote it.
[[nodiscard]] Derived derived_from(const ResultEntry& entry);

/// Writes the tables and figures of every result file below its folder, and the figures that join
/// several of them (report/joint_figures.hpp), and returns their paths.
[[nodiscard]] std::vector<std::filesystem::path> rewrite_derived(const ResultSet& results);

}  // namespace attest

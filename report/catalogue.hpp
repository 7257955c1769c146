#pragma once

#include "record/derive/experiment_entry.hpp"
#include "report/result_set.hpp"

#include <filesystem>
#include <vector>

namespace attest {

/// What `attest reproduce` runs: every experiment, then the claims. `results` is the folder of
/// committed rows that claims about experiments read.
[[nodiscard]] std::vector<ExperimentEntry> catalogue(const std::filesystem::path& results);

/// Tables and figures of a result file. None for an id that the catalogue does not know.
[[nodiscard]] Derived derived_from(const ResultEntry& entry);

/// Writes the tables and figures of every result file below its folder and returns their paths.
[[nodiscard]] std::vector<std::filesystem::path> rewrite_derived(const ResultSet& results);

}  // namespace attest

#pragma once

#include "record/row.hpp"
#include "record/table.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace attest {

/// One line per learner and setting: median and range of the final errors over seeds, how many
/// diverged, time.
[[nodiscard]] Table training_table(const std::vector<Row>& rows);

/// One line per training: every seed.
[[nodiscard]] Table seeds_table(const std::vector<Row>& rows);

/// tables/ID.{csv,md}, tables/ID_seeds.{csv,md}, figures/ID.svg (error against epochs) and
/// figures/ID_cost.svg (against updates and seconds); the paths are appended to `files`.
void write_training_report(const std::vector<Row>& rows,
                           const std::string& id,
                           const std::string& title,
                           const std::filesystem::path& folder,
                           std::vector<std::filesystem::path>& files);

}  // namespace attest

#pragma once

#include "record/table.hpp"

#include <filesystem>
#include <vector>

namespace attest {

/// Writes STEM.csv, STEM.md and STEM.tex, whose folder is made if need be, and appends their paths
/// to `files`.
void write_table(const Table& table,
                 const std::filesystem::path& stem,
                 std::vector<std::filesystem::path>& files);

}  // namespace attest

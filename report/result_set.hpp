#pragma once

#include "record/jsonl.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace attest {

/// One result file, as far as it can be read.
struct ResultEntry {
    std::string id;       ///< experiment
    std::string profile;  ///< of its configuration
    std::filesystem::path path;
    ResultHeader header;
    std::vector<Row> rows;              ///< the latest of every case
    std::vector<std::string> problems;  ///< lines that cannot be read, each with its place

    /// "quick/fig2"
    [[nodiscard]] std::string name() const { return profile + "/" + id; }
};

/// A folder of result files.
struct ResultSet {
    std::filesystem::path place;
    std::vector<ResultEntry> entries;   ///< by path
    std::vector<std::string> problems;  ///< files that cannot be read at all
};

/// Reads one result file, every one in a folder or, where the folder holds none, every one in its
/// folders (`results/quick`, `results/full`). Throws InvalidInput when there is none that can be
/// read.
[[nodiscard]] ResultSet read_results(const std::filesystem::path& place);

}  // namespace attest

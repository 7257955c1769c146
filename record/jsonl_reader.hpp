#pragma once

#include "record/configuration.hpp"
#include "record/row.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace attest {

/// What a result file holds. Lines that cannot be read are reported and the others are kept.
struct ResultFile {
    std::optional<ResultHeader> header =
        {};                      ///< absent when the file was cut off within its first line
    std::vector<Row> rows = {};  ///< in the order of the file
    std::vector<std::string> problems = {};  ///< "fig2.jsonl:7: row: got no \"status\""
    std::uint64_t complete_bytes = 0;        ///< length without a cut-off last line
};

/// Reads a result file. A last line without line end is the mark of a crash: a problem, never a
/// row. Throws InvalidInput when the file cannot be read or its first line is no provenance line.
[[nodiscard]] ResultFile read_result_file(const std::filesystem::path& path);

/// Of several rows of one case the last: a retry supersedes what failed. In order of first
/// appearance.
[[nodiscard]] std::vector<Row> latest_rows(const std::vector<Row>& rows);

}  // namespace attest

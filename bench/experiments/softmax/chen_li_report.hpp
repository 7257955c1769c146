#pragma once

#include "record/row.hpp"
#include "record/table.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace attest {

/// How a column sums up a metric over repetitions.
enum class ReportValue : std::uint8_t { median, mean };

struct ReportColumn {
    std::string header;
    std::string metric;
    ReportValue value = ReportValue::median;
};

/// A table with one line for each combination of some fields.
struct ReportLayout {
    std::vector<std::string> fields;
    std::vector<ReportColumn> columns;
};

/// Repetitions summed up; a combination without a finite value has an empty cell.
[[nodiscard]] Table report_table(const std::vector<Row>& rows, const ReportLayout& layout);

/// Writes tables/NAME.csv and .md below `folder` and returns their paths.
[[nodiscard]] std::vector<std::filesystem::path> write_report(const Table& table,
                                                              const std::filesystem::path& folder,
                                                              const std::string& name);

}  // namespace attest

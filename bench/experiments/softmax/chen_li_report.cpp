#include "bench/experiments/softmax/chen_li_report.hpp"

#include "bench/experiments/frame/report_files.hpp"
#include "record/summary.hpp"

namespace attest {

namespace {

Cell cell_of(const ParameterValue& value) {
    if (std::holds_alternative<double>(value)) {
        return std::get<double>(value);
    }
    if (std::holds_alternative<std::int64_t>(value)) {
        return std::get<std::int64_t>(value);
    }
    return std::holds_alternative<std::string>(value) ? Cell(std::get<std::string>(value)) : Cell();
}

}  // namespace

Table report_table(const std::vector<Row>& rows, const ReportLayout& layout) {
    Table table;
    for (const std::string& field_name : layout.fields) {
        table.columns.push_back({field_name});
    }
    for (std::size_t c = 0; c < layout.columns.size(); ++c) {
        const ReportColumn& column = layout.columns[c];
        table.columns.push_back(
            {column.header, Alignment::right, {NumberFormat::Style::significant, 3}});
        const std::vector<RowGroup> groups = group_rows(rows, layout.fields, column.metric);
        for (std::size_t g = 0; g < groups.size(); ++g) {
            if (c == 0) {
                table.rows.emplace_back();
                for (const ParameterValue& key : groups[g].keys) {
                    table.rows.back().push_back(cell_of(key));
                }
            }
            const Summary& summary = groups[g].summary;
            const double value =
                column.value == ReportValue::median ? summary.median : summary.mean;
            table.rows[g].push_back(summary.count > 0 ? Cell(value) : Cell());
        }
    }
    return table;
}

std::vector<std::filesystem::path> write_report(const Table& table,
                                                const std::filesystem::path& folder,
                                                const std::string& name) {
    std::vector<std::filesystem::path> files;
    write_table(table, folder / "tables" / name, files);
    return files;
}

}  // namespace attest

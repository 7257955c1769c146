#include "bench/experiments/frame/median_table.hpp"

#include "record/summary.hpp"

#include <algorithm>

namespace attest {

namespace {

Cell key_cell(const ParameterValue& key) {
    return std::holds_alternative<std::int64_t>(key) ? Cell(std::get<std::int64_t>(key))
                                                     : Cell(to_string(key));
}

}  // namespace

std::string spaced(std::string name) {
    std::replace(name.begin(), name.end(), '_', ' ');
    return name;
}

Table median_table(const std::vector<Row>& rows,
                   const std::vector<std::string>& fields,
                   const std::vector<MetricColumn>& metrics) {
    Table table;
    for (const std::string& field : fields) {
        table.columns.push_back({spaced(field), Alignment::left});
    }
    for (const MetricColumn& column : metrics) {
        table.columns.push_back({spaced(column.metric), Alignment::right, column.format});
        const std::vector<RowGroup> groups = group_rows(rows, fields, column.metric);
        table.rows.resize(groups.size());
        for (std::size_t i = 0; i < groups.size(); ++i) {
            std::vector<Cell>& line = table.rows[i];
            if (line.empty()) {
                std::transform(groups[i].keys.begin(),
                               groups[i].keys.end(),
                               std::back_inserter(line),
                               key_cell);
            }
            const Summary& summary = groups[i].summary;
            line.push_back(summary.count > 0 ? Cell(summary.median) : Cell());
        }
    }
    return table;
}

}  // namespace attest

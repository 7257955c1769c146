#include "bench/experiments/frame/group_table.hpp"

#include "record/cells.hpp"

#include <map>

namespace attest {

namespace {

using GroupKeys = std::vector<ParameterValue>;

std::string header_of(const std::string& given, const std::string& name) {
    return given.empty() ? spaced(name) : given;
}

void append_column(Table& table,
                   const std::map<GroupKeys, std::size_t>& lines,
                   const std::vector<Row>& rows,
                   const std::vector<std::string>& fields,
                   const GroupColumn& column) {
    const std::vector<Row> mine =
        column.learner.empty() ? rows : select_rows(rows, "learner", column.learner);
    if (mine.empty() && !column.learner.empty()) {
        return;
    }
    table.columns.push_back(
        {header_of(column.header, column.metric), Alignment::right, column.format});
    for (std::vector<Cell>& line : table.rows) {
        line.emplace_back();
    }
    for (const RowGroup& group : group_rows(mine, fields, column.metric)) {
        table.rows[lines.at(group.keys)].back() = cell_of(group, column.statistic);
    }
}

}  // namespace

Table group_table(const std::vector<Row>& rows,
                  const std::vector<KeyColumn>& keys,
                  const std::vector<GroupColumn>& columns) {
    Table table;
    std::vector<std::string> fields;
    for (const KeyColumn& key : keys) {
        fields.push_back(key.field);
        table.columns.push_back({header_of(key.header, key.field), key.alignment});
    }
    std::map<GroupKeys, std::size_t> lines;
    for (const RowGroup& group : group_rows(rows, fields, "")) {
        lines.emplace(group.keys, table.rows.size());
        table.rows.emplace_back();
        for (std::size_t k = 0; k < keys.size(); ++k) {
            table.rows.back().push_back(key_cell(group, k));
        }
    }
    for (const GroupColumn& column : columns) {
        append_column(table, lines, rows, fields, column);
    }
    return table;
}

}  // namespace attest

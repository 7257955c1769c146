#include "bench/experiments/frame/group_table.hpp"

#include "core/base/error.hpp"
#include "record/cells.hpp"

#include <cmath>
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

double PowerLaw::at(double x) const {
    return std::exp(log_constant + exponent * std::log(x));
}

PowerLaw fit_power_law(const std::vector<double>& x, const std::vector<double>& y) {
    ensure(x.size() == y.size() && x.size() >= 2, "fit_power_law: too few points");
    const auto count = static_cast<double>(x.size());
    double u_sum = 0.0;
    double v_sum = 0.0;
    double uu_sum = 0.0;
    double uv_sum = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double u = std::log(x[i]);
        const double v = std::log(y[i]);
        u_sum += u;
        v_sum += v;
        uu_sum += u * u;
        uv_sum += u * v;
    }
    const double exponent = (count * uv_sum - u_sum * v_sum) / (count * uu_sum - u_sum * u_sum);
    return {exponent, (v_sum - exponent * u_sum) / count, x.front()};
}

}  // namespace attest

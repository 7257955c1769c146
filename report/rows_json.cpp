#include "report/rows_json.hpp"

#include "core/base/json_text.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>

namespace attest {

namespace {

using Json = nlohmann::ordered_json;

struct RowColumn {
    std::string name;
    std::string kind;
    std::string unit;
    std::function<Json(const Row&)> cell;
};

Json parameter_cell(const ParameterMap& map, const std::string& name) {
    const auto found = map.find(name);
    return found == map.end() ? Json(nullptr) : Json(to_string(found->second));
}

Json metric_json(const Row& row, const std::string& name) {
    const auto found = row.metrics.find(name);
    if (found == row.metrics.end()) {
        return nullptr;
    }
    const Metric& metric = found->second;
    if (!metric.bound && metric.exact.empty()) {
        return number_or_word(metric.value);
    }
    return Json::array({number_or_word(metric.value),
                        metric.bound ? number_or_word(*metric.bound) : Json(nullptr),
                        metric.exact.empty() ? Json(nullptr) : Json(metric.exact)});
}

std::vector<RowColumn> setting_columns(const std::vector<Row>& rows) {
    std::set<std::string> task;
    std::set<std::string> learner;
    for (const Row& row : rows) {
        for (const auto& [name, value] : row.key.parameters) {
            task.insert(name);
        }
        for (const auto& [name, value] : row.key.learner_parameters) {
            learner.insert(name);
        }
    }
    std::vector<RowColumn> columns{
        {"task", "setting", "", [](const Row& row) { return Json(row.key.task); }}};
    for (const std::string& name : task) {
        columns.push_back({name, "setting", "", [name](const Row& row) {
                               return parameter_cell(row.key.parameters, name);
                           }});
    }
    columns.push_back(
        {"learner", "setting", "", [](const Row& row) { return Json(row.key.learner); }});
    for (const std::string& name : learner) {
        columns.push_back({name, "setting", "", [name](const Row& row) {
                               return parameter_cell(row.key.learner_parameters, name);
                           }});
    }
    columns.push_back(
        {"seed", "setting", "", [](const Row& row) { return Json(std::to_string(row.key.seed)); }});
    columns.push_back({"repetition", "setting", "", [](const Row& row) {
                           return Json(std::to_string(row.key.repetition));
                       }});
    columns.push_back(
        {"precision", "setting", "", [](const Row& row) { return Json(row.key.precision); }});
    return columns;
}

std::vector<RowColumn> measured_columns(const std::vector<Row>& rows) {
    std::map<std::string, std::string> units;
    for (const Row& row : rows) {
        for (const auto& [name, metric] : row.metrics) {
            units.emplace(name, metric.unit);
        }
    }
    std::vector<RowColumn> columns;
    for (const auto& metric : units) {
        const std::string& name = metric.first;
        columns.push_back({name, "metric", metric.second, [name](const Row& row) {
                               return metric_json(row, name);
                           }});
    }
    columns.push_back(
        {"status", "row", "", [](const Row& row) { return Json(to_string(row.status)); }});
    columns.push_back({"message", "row", "", [](const Row& row) { return Json(row.message); }});
    columns.push_back(
        {"seconds", "row", "s", [](const Row& row) { return number_or_word(row.seconds); }});
    return columns;
}

/// Whether every row has the same cell in this column.
bool is_same(const RowColumn& column, const std::vector<Row>& rows) {
    const Json first = column.cell(rows.front());
    return std::all_of(
        rows.begin(), rows.end(), [&](const Row& row) { return column.cell(row) == first; });
}

}  // namespace

Json rows_json(const std::vector<Row>& rows) {
    Json object{{"same", Json::array()}, {"columns", Json::array()}, {"rows", Json::array()}};
    if (rows.empty()) {
        return object;
    }
    std::vector<RowColumn> columns;
    for (RowColumn& column : setting_columns(rows)) {
        if (rows.size() > 1 && is_same(column, rows)) {
            object["same"].push_back({column.name, column.cell(rows.front())});
        } else {
            columns.push_back(std::move(column));
        }
    }
    for (RowColumn& column : measured_columns(rows)) {
        columns.push_back(std::move(column));
    }
    for (const RowColumn& column : columns) {
        Json shown{{"name", column.name}, {"kind", column.kind}};
        if (!column.unit.empty()) {
            shown["unit"] = column.unit;
        }
        object["columns"].push_back(shown);
    }
    for (const Row& row : rows) {
        Json cells = Json::array();
        for (const RowColumn& column : columns) {
            cells.push_back(column.cell(row));
        }
        object["rows"].push_back(cells);
    }
    return object;
}

}  // namespace attest

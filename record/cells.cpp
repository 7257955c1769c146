#include "record/cells.hpp"

#include "core/base/text.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace attest {

namespace {

Cell parameter_cell(const ParameterValue& value, Source source) {
    if (const auto* number = std::get_if<std::int64_t>(&value)) {
        return {*number, std::move(source)};
    }
    if (const auto* number = std::get_if<double>(&value)) {
        return {*number, std::move(source)};
    }
    return to_string(value);
}

}  // namespace

Cell cell_of(const RowGroup& group, Statistic statistic) {
    if (statistic == Statistic::count) {
        return {static_cast<std::int64_t>(group.members.size()),
                Source{statistic, "rows", group.members, {}}};
    }
    if (group.summary.count < (statistic == Statistic::standard_error ? 2 : 1)) {
        return {};
    }
    return {statistic_of(group.summary, statistic),
            Source{statistic, group.metric, group.measured, {}}};
}

Cell key_cell(const RowGroup& group, std::size_t k) {
    return parameter_cell(group.keys[k], {Statistic::setting, group.fields[k], group.members, {}});
}

Cell metric_cell(const Row& row, const std::string& metric) {
    const auto found = row.metrics.find(metric);
    return found == row.metrics.end()
               ? Cell()
               : Cell(found->second.value, {Statistic::value, metric, {row.position}, {}});
}

Cell setting_cell(const Row& row, const std::string& name) {
    const std::optional<ParameterValue> value = field(row, name);
    return value ? parameter_cell(*value, {Statistic::setting, name, {row.position}, {}}) : Cell();
}

Cell text_cell(std::string text, const std::vector<Row>& rows, std::string metric) {
    return {std::move(text), {Statistic::value, std::move(metric), positions_of(rows), {}}};
}

Cell computed_cell(const std::vector<Row>& rows, std::string what, RowFunction compute) {
    const double number = compute(rows);
    if (std::isnan(number)) {
        return {};
    }
    return {number, {Statistic::computed, std::move(what), positions_of(rows), std::move(compute)}};
}

bool are_exact(const std::vector<Row>& rows, const std::string& metric) {
    return std::all_of(rows.begin(), rows.end(), [&](const Row& row) {
        const auto found = row.metrics.find(metric);
        return found == row.metrics.end() || !found->second.exact.empty();
    });
}

Cell whole(Cell cell) {
    if (const auto* number = std::get_if<double>(&cell.value)) {
        cell.value = static_cast<std::int64_t>(std::llround(*number));
    }
    return cell;
}

Cell as_text(Cell cell) {
    if (const auto* number = std::get_if<double>(&cell.value)) {
        cell.value = round_trip(*number);
    } else if (const auto* count = std::get_if<std::int64_t>(&cell.value)) {
        cell.value = std::to_string(*count);
    }
    return cell;
}

}  // namespace attest

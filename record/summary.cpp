#include "record/summary.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

namespace attest {

namespace {

double median_of_sorted(const std::vector<double>& values) {
    const std::size_t half = values.size() / 2;
    // Halved first: the sum of two large values could overflow.
    return values.size() % 2 == 1 ? values[half] : values[half - 1] / 2 + values[half] / 2;
}

std::optional<ParameterValue> fixed_field(const Row& row, std::string_view name) {
    if (name == "id") {
        return row.id;
    }
    if (name == "task") {
        return row.key.task;
    }
    if (name == "learner") {
        return row.key.learner;
    }
    if (name == "seed") {
        return std::to_string(row.key.seed);
    }
    if (name == "stream") {
        return row.key.stream;
    }
    if (name == "repetition") {
        return row.key.repetition;
    }
    if (name == "precision") {
        return row.key.precision;
    }
    if (name == "status") {
        return std::string(to_string(row.status));
    }
    return std::nullopt;
}

std::vector<ParameterValue> keys_of(const Row& row, const std::vector<std::string>& fields) {
    std::vector<ParameterValue> keys(fields.size());
    std::transform(fields.begin(), fields.end(), keys.begin(), [&](const std::string& name) {
        return field(row, name).value_or(std::string());
    });
    return keys;
}

}  // namespace

std::string spaced(std::string name) {
    std::replace(name.begin(), name.end(), '_', ' ');
    return name;
}

Summary summarise(std::vector<double> values) {
    if (values.empty()) {
        return {};
    }
    for (const double value : values) {
        require(
            std::isfinite(value), "summarise: got {}, expected finite values", round_trip(value));
    }
    std::sort(values.begin(), values.end());
    const auto count = static_cast<double>(values.size());
    const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
    double squares = 0.0;
    for (const double value : values) {
        squares += (value - mean) * (value - mean);
    }
    const bool several = values.size() > 1;
    return {.count = static_cast<Index>(values.size()),
            .mean = mean,
            .standard_error = several ? std::sqrt(squares / (count - 1.0) / count) : 0.0,
            .median = median_of_sorted(values),
            .min = values.front(),
            .max = values.back()};
}

double statistic_of(const Summary& summary, Statistic statistic) {
    switch (statistic) {
        case Statistic::mean:
            return summary.mean;
        case Statistic::standard_error:
            return summary.standard_error;
        case Statistic::median:
            return summary.median;
        case Statistic::least:
            return summary.min;
        case Statistic::greatest:
            return summary.max;
        case Statistic::sum:
            return summary.mean * static_cast<double>(summary.count);
        default:
            throw BrokenInvariant("statistic_of: no statistic of a sample");
    }
}

std::optional<ParameterValue> field(const Row& row, std::string_view name) {
    if (std::optional<ParameterValue> fixed = fixed_field(row, name)) {
        return fixed;
    }
    const std::string key(name);
    for (const ParameterMap* map : {&row.key.parameters, &row.key.learner_parameters}) {
        if (const auto found = map->find(key); found != map->end()) {
            return found->second;
        }
    }
    return std::nullopt;
}

double number_field(const Row& row, std::string_view name) {
    const std::optional<ParameterValue> value = field(row, name);
    require(value.has_value(), "number_field: row {} has no {}", row.id, name);
    return to_number(*value, name);
}

std::optional<double> finite_metric(const Row& row, const std::string& metric) {
    const auto found = row.metrics.find(metric);
    if (row.status != RowStatus::ok || found == row.metrics.end() ||
        !std::isfinite(found->second.value)) {
        return std::nullopt;
    }
    return found->second.value;
}

std::vector<RowGroup> group_rows(const std::vector<Row>& rows,
                                 const std::vector<std::string>& fields,
                                 const std::string& metric) {
    std::vector<RowGroup> groups;
    std::vector<std::vector<double>> values;
    std::map<std::vector<ParameterValue>, std::size_t> positions;
    for (const Row& row : rows) {
        std::vector<ParameterValue> keys = keys_of(row, fields);
        const auto [found, added] = positions.emplace(keys, groups.size());
        if (added) {
            groups.push_back({fields, std::move(keys), metric, {}, {}, {}, 0});
            values.emplace_back();
        }
        RowGroup& group = groups[found->second];
        group.members.push_back(row.position);
        if (const std::optional<double> value = finite_metric(row, metric)) {
            values[found->second].push_back(*value);
            group.measured.push_back(row.position);
        } else {
            ++group.missing;
        }
    }
    for (std::size_t i = 0; i < groups.size(); ++i) {
        groups[i].summary = summarise(std::move(values[i]));
    }
    return groups;
}

std::vector<std::vector<Row>> split_rows(const std::vector<Row>& rows,
                                         const std::vector<std::string>& fields) {
    std::vector<std::vector<Row>> groups;
    std::map<std::vector<ParameterValue>, std::size_t> places;
    for (const Row& row : rows) {
        const auto [found, added] = places.emplace(keys_of(row, fields), groups.size());
        if (added) {
            groups.emplace_back();
        }
        groups[found->second].push_back(row);
    }
    return groups;
}

std::vector<std::string> distinct_values(const std::vector<Row>& rows,
                                         const std::string& field_name) {
    std::vector<std::string> values;
    for (const RowGroup& group : group_rows(rows, {field_name}, "")) {
        values.push_back(to_string(group.keys[0]));
    }
    return values;
}

std::vector<Row> select_rows(const std::vector<Row>& rows,
                             std::string_view field_name,
                             std::string_view text) {
    std::vector<Row> selected;
    for (const Row& row : rows) {
        const std::optional<ParameterValue> value = field(row, field_name);
        if (value && to_string(*value) == text) {
            selected.push_back(row);
        }
    }
    return selected;
}

}  // namespace attest

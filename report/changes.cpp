#include "report/changes.hpp"

#include "core/base/bitwise.hpp"
#include "core/base/text.hpp"
#include "record/summary.hpp"
#include "record/table.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

namespace attest {

namespace {

constexpr double kStandardErrors = 4.0;
constexpr double kMostExactWhole = 0x1p53;

bool is_whole(double value) {
    return std::fabs(value) < kMostExactWhole && bitwise_equal(std::trunc(value), value);
}

const Metric* metric_of(const Row& row, const std::string& name) {
    const auto found = row.metrics.find(name);
    return row.status == RowStatus::ok && found != row.metrics.end() ? &found->second : nullptr;
}

std::vector<double> finite_values(const SettingRows& rows, const std::string& name) {
    std::vector<double> values;
    for (const Row* row : rows) {
        if (const Metric* metric = metric_of(*row, name);
            metric != nullptr && std::isfinite(metric->value)) {
            values.push_back(metric->value);
        }
    }
    return values;
}

/// What decides about one case that both sides have: nothing when only noise can.
std::optional<std::string> decided_by_case(const Metric& before, const Metric& after) {
    if (!before.exact.empty() && !after.exact.empty()) {
        return before.exact == after.exact ? "" : "exact values differ";
    }
    if (bitwise_equal(before.value, after.value) ||
        (std::isnan(before.value) && std::isnan(after.value))) {
        return "";
    }
    if (!std::isfinite(before.value) || !std::isfinite(after.value)) {
        return "not finite on one side";
    }
    if (before.bound && after.bound) {
        const bool within = std::fabs(before.value - after.value) <= *before.bound + *after.bound;
        return within ? "" : "beyond the stated bounds";
    }
    // Of successes only the rate is compared: at its limits a search succeeds by luck.
    const bool successes = before.unit == "success" && after.unit == "success";
    if (!successes && is_whole(before.value) && is_whole(after.value)) {
        return "whole numbers differ";
    }
    return std::nullopt;
}

std::string moved_beyond_noise(const SettingRows& before,
                               const SettingRows& after,
                               const std::string& metric,
                               double threshold) {
    const Summary first = summarise(finite_values(before, metric));
    const Summary second = summarise(finite_values(after, metric));
    if (first.count == 0 || second.count == 0) {
        return first.count == second.count ? "" : "absent on one side";
    }
    const double change = std::fabs(first.mean - second.mean);
    const double size = std::max(std::fabs(first.mean), std::fabs(second.mean));
    if (change <= threshold * size) {
        return "";
    }
    if (first.count < 2 || second.count < 2) {
        return formatted(
            "changed by {} %",
            format_number(100.0 * change / size, {NumberFormat::Style::significant, 3}));
    }
    const double noise = std::hypot(first.standard_error, second.standard_error);
    if (change <= kStandardErrors * noise) {
        return "";
    }
    return noise > 0.0
               ? formatted("changed by {} standard errors",
                           format_number(change / noise, {NumberFormat::Style::significant, 3}))
               : "changed, with no noise on either side";
}

std::map<std::string, const Row*> by_identity(const SettingRows& rows) {
    std::map<std::string, const Row*> found;
    for (const Row* row : rows) {
        found.emplace(identity(row->key), row);
    }
    return found;
}

using Facts = std::map<std::string, std::string>;

Facts machine_facts(const Provenance& from) {
    return {{"processor", from.cpu},
            {"processors in use", std::to_string(from.logical_cpus)},
            {"compiler", from.compiler},
            {"compiler flags", from.compiler_flags},
            {"build type", from.build_type},
            {"linear algebra", blas_summary(from)}};
}

Facts all_facts(const ResultHeader& header) {
    const Provenance& from = header.provenance;
    Facts facts = machine_facts(from);
    facts["commit"] = from.commit + (from.dirty ? " with uncommitted changes" : "");
    facts["version"] = from.version;
    facts["system"] = from.os;
    facts["seed"] = std::to_string(header.configuration.seed);
    facts["settings"] = to_string(header.configuration.parameters);
    for (const auto& [name, version] : from.libraries) {
        facts["library " + name] = version;
    }
    return facts;
}

std::set<std::string> names_of(const Facts& first, const Facts& second) {
    std::set<std::string> names;
    for (const Facts* facts : {&first, &second}) {
        for (const auto& [name, value] : *facts) {
            names.insert(name);
        }
    }
    return names;
}

}  // namespace

bool same_cases(const SettingRows& before, const SettingRows& after) {
    const auto first = by_identity(before);
    const auto second = by_identity(after);
    return std::equal(
        first.begin(), first.end(), second.begin(), second.end(), [](const auto& a, const auto& b) {
            return a.first == b.first;
        });
}

std::string moved(const SettingRows& before,
                  const SettingRows& after,
                  const std::string& metric,
                  double threshold) {
    bool noisy = !same_cases(before, after);
    if (!noisy) {
        const auto second = by_identity(after);
        for (const auto& [key, row] : by_identity(before)) {
            const Metric* const a = metric_of(*row, metric);
            const Metric* const b = metric_of(*second.at(key), metric);
            if (a == nullptr || b == nullptr) {
                noisy = noisy || a != b;
                continue;
            }
            const std::optional<std::string> decided = decided_by_case(*a, *b);
            if (decided && !decided->empty()) {
                return *decided;
            }
            noisy = noisy || !decided;
        }
    }
    return noisy ? moved_beyond_noise(before, after, metric, threshold) : "";
}

std::string shown_metric(const SettingRows& rows, const std::string& metric) {
    if (rows.size() == 1) {
        const Metric* const one = metric_of(*rows.front(), metric);
        return one == nullptr ? "absent" : one->exact.empty() ? round_trip(one->value) : one->exact;
    }
    const Summary summary = summarise(finite_values(rows, metric));
    return summary.count == 0 ? "absent"
                              : formatted("{} ± {} ({})",
                                          round_trip(summary.mean),
                                          format_number(summary.standard_error,
                                                        {NumberFormat::Style::significant, 2}),
                                          summary.count);
}

bool same_machine(const Provenance& before, const Provenance& after) {
    return machine_facts(before) == machine_facts(after);
}

std::vector<Change> environment_changes(const std::vector<EntryPair>& pairs) {
    std::map<std::vector<std::string>, std::string> files;
    for (const auto& [before, after] : pairs) {
        Facts first = all_facts(before->header);
        Facts second = all_facts(after->header);
        for (const std::string& name : names_of(first, second)) {
            if (first[name] != second[name]) {
                std::string& list = files[{name, first[name], second[name]}];
                list += formatted("{}{}", list.empty() ? "" : ", ", before->name());
            }
        }
    }
    std::vector<Change> changes;
    changes.reserve(files.size());
    for (const auto& [fact, list] : files) {
        changes.push_back({list, fact[0], fact[1], fact[2], ""});
    }
    return changes;
}

}  // namespace attest

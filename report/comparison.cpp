#include "report/comparison.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "proofs_check/claims/report.hpp"
#include "record/table.hpp"
#include "report/changes.hpp"
#include "report/claim_rows.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>
#include <map>

namespace attest {

namespace {

constexpr const char* kAbsent = "absent";

/// Costs depend on the machine and on what else runs on it; so do the steps of a search, which
/// rounding leads another way.
bool is_cost(const std::string& unit) {
    return unit == "s" || unit == "bytes" || unit == "steps";
}

std::map<std::string, SettingRows> settings_of(const ResultEntry& entry) {
    std::map<std::string, SettingRows> settings;
    for (const Row& row : entry.rows) {
        CaseKey key = row.key;
        key.seed = 0;
        key.stream.clear();
        key.repetition = 0;
        settings[identity(key)].push_back(&row);
    }
    return settings;
}

/// "relative_error of associative_memory (d=4), ridge": without what differs within the setting.
std::string setting_name(const Row& row) {
    const std::string all = describe(row.key);
    return all.substr(0, all.rfind(", seed "));
}

/// "ok" or "3 ok, 1 failed".
std::string endings(const SettingRows& rows) {
    std::map<std::string, std::size_t> counts;
    for (const Row* row : rows) {
        ++counts[std::string(to_string(row->status))];
    }
    std::string text;
    for (const auto& [status, count] : counts) {
        text += formatted("{}{}{}",
                          text.empty() ? "" : ", ",
                          rows.size() == 1 ? "" : formatted("{} ", count),
                          status);
    }
    return text;
}

void compare_metrics(Comparison& comparison,
                     const std::string& file,
                     const SettingRows& before,
                     const SettingRows& after,
                     double threshold) {
    std::map<std::string, std::string> units;
    for (const SettingRows* rows : {&before, &after}) {
        for (const Row* row : *rows) {
            for (const auto& [name, metric] : row->metrics) {
                units.emplace(name, metric.unit);
            }
        }
    }
    for (const auto& [name, unit] : units) {
        if (is_cost(unit)) {
            continue;
        }
        ++comparison.metrics_compared;
        const std::string why = moved(before, after, name, threshold);
        if (!why.empty()) {
            comparison.metrics.push_back(
                {file,
                 formatted("{} of {}", name, setting_name(*before.front())),
                 shown_metric(before, name),
                 shown_metric(after, name),
                 why});
        }
    }
}

void compare_cases(Comparison& comparison,
                   const ResultEntry& before,
                   const ResultEntry& after,
                   double threshold) {
    const std::string file = before.name();
    const auto first = settings_of(before);
    const auto second = settings_of(after);
    for (const auto& [key, rows] : first) {
        const auto found = second.find(key);
        if (found == second.end()) {
            comparison.cases.push_back(
                {file, setting_name(*rows.front()), endings(rows), kAbsent, ""});
            continue;
        }
        if (endings(rows) != endings(found->second)) {
            comparison.cases.push_back(
                {file, setting_name(*rows.front()), endings(rows), endings(found->second), ""});
        }
        compare_metrics(comparison, file, rows, found->second, threshold);
    }
    for (const auto& [key, rows] : second) {
        if (!first.contains(key)) {
            comparison.cases.push_back(
                {file, setting_name(*rows.front()), kAbsent, endings(rows), ""});
        }
    }
}

void compare_claims(Comparison& comparison, const ResultEntry& before, const ResultEntry& after) {
    std::map<std::string, std::pair<std::string, std::string>> outcomes;
    for (const ClaimRow& claim : claim_rows(before.rows)) {
        outcomes[claim.id] = {words(claim.outcome), kAbsent};
    }
    for (const ClaimRow& claim : claim_rows(after.rows)) {
        outcomes.try_emplace(claim.id, kAbsent, "").first->second.second = words(claim.outcome);
    }
    for (const auto& [id, outcome] : outcomes) {
        ++comparison.claims_compared;
        if (outcome.first != outcome.second) {
            comparison.claims.push_back({before.name(), id, outcome.first, outcome.second, ""});
        }
    }
}

TimingRatio timing_ratio(const ResultEntry& before, const ResultEntry& after) {
    std::map<std::string, double> seconds;
    for (const Row& row : before.rows) {
        if (row.status == RowStatus::ok) {
            seconds.emplace(identity(row.key), row.seconds);
        }
    }
    TimingRatio timing{before.name(), 0, std::nullopt};
    double first = 0.0;
    double second = 0.0;
    for (const Row& row : after.rows) {
        const auto found = seconds.find(identity(row.key));
        if (row.status == RowStatus::ok && found != seconds.end()) {
            ++timing.cases;
            first += found->second;
            second += row.seconds;
        }
    }
    const bool alike = same_machine(before.header.provenance, after.header.provenance);
    if (alike && first > 0.0) {
        timing.ratio = second / first;
    }
    return timing;
}

const ResultEntry* find_entry(const ResultSet& set, const std::string& name) {
    for (const ResultEntry& entry : set.entries) {
        if (entry.name() == name) {
            return &entry;
        }
    }
    return nullptr;
}

void note_problems(Comparison& comparison, const ResultSet& set) {
    comparison.problems.insert(comparison.problems.end(), set.problems.begin(), set.problems.end());
    for (const ResultEntry& entry : set.entries) {
        for (const std::string& problem : entry.problems) {
            comparison.problems.push_back((entry.path.parent_path() / problem).string());
        }
    }
}

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostLines = 50;

Table change_table(const std::vector<Change>& changes, std::size_t count) {
    const bool reasons = std::any_of(
        changes.begin(), changes.end(), [](const Change& change) { return !change.why.empty(); });
    Table table;
    for (const char* header : {"file", "what", "before", "after"}) {
        table.columns.push_back({header, Alignment::left});
    }
    if (reasons) {
        table.columns.push_back({"why", Alignment::left});
    }
    for (std::size_t i = 0; i < count; ++i) {
        const Change& change = changes[i];
        std::vector<Cell> line{change.file, change.subject, change.before, change.after};
        if (reasons) {
            line.emplace_back(change.why);
        }
        table.rows.push_back(std::move(line));
    }
    return table;
}

Table timing_table(const std::vector<TimingRatio>& timings) {
    Table table;
    table.columns = {{"file", Alignment::left},
                     {"cases"},
                     {"after/before", Alignment::right, {NumberFormat::Style::fixed, 2}}};
    for (const TimingRatio& timing : timings) {
        table.rows.push_back({timing.file,
                              static_cast<std::int64_t>(timing.cases),
                              timing.ratio ? Cell(*timing.ratio) : Cell()});
    }
    return table;
}

std::string verdict(const Comparison& comparison) {
    if (comparison.same()) {
        return formatted("The same: {} claims and {} metrics compared.",
                         comparison.claims_compared,
                         comparison.metrics_compared);
    }
    return formatted("Different: {} of {} claims, {} cases, {} of {} metrics.",
                     comparison.claims.size(),
                     comparison.claims_compared,
                     comparison.cases.size(),
                     comparison.metrics.size(),
                     comparison.metrics_compared);
}

/// Headings and tables in either language.
struct Writer {
    std::string heading_mark;
    std::string (*table)(const Table&);
    std::size_t most_lines;
    std::string text = {};

    void changes(const char* heading, const std::vector<Change>& list) {
        if (list.empty()) {
            return;
        }
        const std::size_t count = std::min(list.size(), most_lines);
        text += formatted("\n{}{}\n\n{}", heading_mark, heading, table(change_table(list, count)));
        if (count < list.size()) {
            text += formatted("\nand {} more.\n", list.size() - count);
        }
    }

    void all(const Comparison& comparison) {
        text += verdict(comparison) + "\n";
        changes("Claims with another verdict", comparison.claims);
        changes("Cases that are absent or ended otherwise", comparison.cases);
        changes("Metrics that moved", comparison.metrics);
        changes("The environments differ", comparison.environment);
        if (!comparison.timings.empty()) {
            text += formatted("\n{}Run times, where the environment is the same\n\n{}",
                              heading_mark,
                              table(timing_table(comparison.timings)));
        }
        if (!comparison.problems.empty()) {
            text += formatted("\n{}Lines that could not be read\n\n", heading_mark);
            for (const std::string& problem : comparison.problems) {
                text += "- " + problem + "\n";
            }
        }
    }
};

Json changes_json(const std::vector<Change>& changes) {
    Json list = Json::array();
    for (const Change& change : changes) {
        Json object{{"file", change.file},
                    {"subject", change.subject},
                    {"before", change.before},
                    {"after", change.after}};
        if (!change.why.empty()) {
            object["why"] = change.why;
        }
        list.push_back(object);
    }
    return list;
}

}  // namespace

Comparison compare_results(const ResultSet& before, const ResultSet& after, double threshold) {
    Comparison comparison;
    note_problems(comparison, before);
    note_problems(comparison, after);
    std::vector<EntryPair> pairs;
    for (const ResultEntry& entry : before.entries) {
        if (const ResultEntry* const other = find_entry(after, entry.name())) {
            pairs.emplace_back(&entry, other);
        } else {
            comparison.cases.push_back({entry.name(), "the whole file", "there", kAbsent, ""});
        }
    }
    for (const ResultEntry& entry : after.entries) {
        if (find_entry(before, entry.name()) == nullptr) {
            comparison.cases.push_back({entry.name(), "the whole file", kAbsent, "there", ""});
        }
    }
    for (const auto& [first, second] : pairs) {
        if (first->id == kClaimsId) {
            compare_claims(comparison, *first, *second);
        } else {
            compare_cases(comparison, *first, *second, threshold);
        }
        comparison.timings.push_back(timing_ratio(*first, *second));
    }
    comparison.environment = environment_changes(pairs);
    return comparison;
}

std::vector<CheckedCase> checked_cases(const Comparison& comparison) {
    std::vector<CheckedCase> cases{
        {.group = "comparison",
         .name = "all",
         .outcome = comparison.same() ? CheckOutcome::passed : CheckOutcome::failed,
         .message = verdict(comparison)}};
    const auto add = [&](const char* group, const std::vector<Change>& changes) {
        for (const Change& change : changes) {
            cases.push_back({.group = group,
                             .name = change.file + " " + change.subject,
                             .outcome = CheckOutcome::failed,
                             .message = formatted("{} became {}{}{}",
                                                  change.before,
                                                  change.after,
                                                  change.why.empty() ? "" : ": ",
                                                  change.why),
                             .file = change.file + ".jsonl"});
        }
    };
    add("claim", comparison.claims);
    add("case", comparison.cases);
    add("metric", comparison.metrics);
    for (const std::string& problem : comparison.problems) {
        cases.push_back({.group = "unreadable",
                         .name = problem,
                         .outcome = CheckOutcome::open,
                         .message = "cannot be read"});
    }
    return cases;
}

std::string comparison_text(const Comparison& comparison) {
    Writer writer{"", to_terminal, std::numeric_limits<std::size_t>::max()};
    writer.all(comparison);
    return writer.text;
}

std::string comparison_markdown(const Comparison& comparison) {
    Writer writer{"### ", to_markdown, kMostLines};
    writer.text = "## Results compared\n\n";
    writer.all(comparison);
    return writer.text;
}

Json comparison_json(const Comparison& comparison) {
    Json timings = Json::array();
    for (const TimingRatio& timing : comparison.timings) {
        timings.push_back({{"file", timing.file},
                           {"cases", timing.cases},
                           {"ratio", timing.ratio ? Json(*timing.ratio) : Json(nullptr)}});
    }
    return {{"same", comparison.same()},
            {"claims_compared", comparison.claims_compared},
            {"metrics_compared", comparison.metrics_compared},
            {"claims", changes_json(comparison.claims)},
            {"cases", changes_json(comparison.cases)},
            {"metrics", changes_json(comparison.metrics)},
            {"environment", changes_json(comparison.environment)},
            {"timings", timings},
            {"problems", comparison.problems}};
}

}  // namespace attest

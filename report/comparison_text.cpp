#include "core/base/text.hpp"
#include "record/table.hpp"
#include "report/comparison.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>

namespace attest {

namespace {

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

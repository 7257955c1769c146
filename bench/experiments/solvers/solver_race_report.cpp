#include "bench/experiments/frame/report_files.hpp"
#include "bench/experiments/solvers/solver_race.hpp"
#include "core/base/text.hpp"
#include "record/summary.hpp"

#include <algorithm>
#include <limits>
#include <optional>

namespace attest {

namespace {

/// The fastest contender counts 1.
void add_ratios(std::vector<SolverTiming>& timings, Table& table) {
    double least = std::numeric_limits<double>::infinity();
    for (const SolverTiming& timing : timings) {
        least = std::min(least, timing.cpu_seconds);
    }
    for (std::size_t i = 0; i < timings.size(); ++i) {
        table.rows[i].push_back(timings[i].cpu_seconds / least);
    }
}

/// The least of a metric over the rounds of one contender; absent when no round ended well.
std::optional<double> least(const std::vector<Row>& rows, const std::string& metric) {
    const std::vector<RowGroup> groups = group_rows(rows, {"learner"}, metric);
    return groups.empty() || groups[0].summary.count == 0
               ? std::nullopt
               : std::optional<double>(groups[0].summary.min);
}

std::vector<std::string> distinct(const std::vector<Row>& rows, const std::string& name) {
    std::vector<std::string> values;
    for (const RowGroup& group : group_rows(rows, {name}, "seconds")) {
        values.push_back(to_string(group.keys[0]));
    }
    return values;
}

std::vector<SolverTiming> timings_of(const std::vector<Row>& rows) {
    std::vector<SolverTiming> timings;
    for (const std::string& contender : distinct(rows, "learner")) {
        const std::vector<Row> mine = select_rows(rows, "learner", contender);
        const std::optional<double> seconds = least(mine, "seconds");
        if (seconds) {
            timings.push_back({contender,
                               *seconds,
                               *least(mine, "cpu_seconds"),
                               *least(mine, "relative_error"),
                               *least(mine, "peak_rss"),
                               mine[0].message,
                               ""});
        }
    }
    return timings;
}

}  // namespace

Table timing_table(const std::vector<SolverTiming>& unsorted) {
    std::vector<SolverTiming> timings = unsorted;
    std::sort(timings.begin(), timings.end(), [](const SolverTiming& a, const SolverTiming& b) {
        return a.cpu_seconds < b.cpu_seconds;
    });
    const NumberFormat three{NumberFormat::Style::significant, 3};
    Table table;
    table.columns = {{"contender", Alignment::left},
                     {"CPU s", Alignment::right, three},
                     {"wall s", Alignment::right, three},
                     {"relative error", Alignment::right, {NumberFormat::Style::scientific, 1}},
                     {"peak MB", Alignment::right, {NumberFormat::Style::fixed, 0}},
                     {"answered by", Alignment::left},
                     {"CPU ratio", Alignment::right, {NumberFormat::Style::fixed, 2}}};
    for (const SolverTiming& timing : timings) {
        table.rows.push_back(
            {timing.contender,
             timing.cpu_seconds,
             timing.seconds,
             timing.relative_error,
             timing.peak_rss_bytes / 1e6,
             formatted("{}{}{}", timing.note, timing.blas.empty() ? "" : ", ", timing.blas)});
    }
    add_ratios(timings, table);
    return table;
}

std::string solver_race_text(const std::vector<Row>& rows) {
    std::string text;
    for (const std::string& d : distinct(rows, "d")) {
        const std::vector<Row> size = select_rows(rows, "d", d);
        for (const std::string& threads : distinct(size, "threads")) {
            text += formatted(
                "d = {}, N = {}, threads {}\n{}\n",
                d,
                distinct(size, "num_examples").front(),
                threads,
                to_terminal(timing_table(timings_of(select_rows(size, "threads", threads)))));
        }
    }
    return text;
}

std::vector<std::filesystem::path> derive_solver_race(const std::vector<Row>& rows,
                                                      const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> files;
    for (const std::string& d : distinct(rows, "d")) {
        const std::vector<Row> size = select_rows(rows, "d", d);
        for (const std::string& threads : distinct(size, "threads")) {
            write_table(timing_table(timings_of(select_rows(size, "threads", threads))),
                        folder / "tables" / formatted("solver_race_d{}_threads{}", d, threads),
                        files);
        }
    }
    return files;
}

}  // namespace attest

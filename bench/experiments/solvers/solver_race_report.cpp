#include "bench/experiments/solvers/solver_race_report.hpp"

#include "bench/experiments/solvers/solver_race.hpp"
#include "core/base/text.hpp"
#include "record/cells.hpp"

#include <algorithm>

namespace attest {

namespace {

/// The least of a metric over the rounds of one contender that ended well.
RowGroup rounds_of(const std::vector<Row>& rows, const std::string& metric) {
    return group_rows(rows, {"learner"}, metric).front();
}

double least_cpu(const std::vector<Row>& rows) {
    return rounds_of(rows, "cpu_seconds").summary.min;
}

/// Rounds of the contenders that answered, the one of least processor time first.
std::vector<std::vector<Row>> ranking(const std::vector<Row>& rows) {
    std::vector<std::vector<Row>> contenders = split_rows(rows, {"learner"});
    std::erase_if(contenders, [](const std::vector<Row>& rounds) {
        return rounds_of(rounds, "cpu_seconds").summary.count == 0;
    });
    std::sort(contenders.begin(), contenders.end(), [](const auto& a, const auto& b) {
        return least_cpu(a) < least_cpu(b);
    });
    return contenders;
}

/// The fastest contender counts 1.
Cell ratio_cell(const std::vector<Row>& rounds, const std::vector<Row>& fastest) {
    const std::string& mine = rounds.front().key.learner;
    const std::string& first = fastest.front().key.learner;
    std::vector<Row> both = rounds;
    if (mine != first) {
        both.insert(both.end(), fastest.begin(), fastest.end());
    }
    return computed_cell(both, "ratio of least cpu_seconds", [=](const std::vector<Row>& rows) {
        return least_cpu(select_rows(rows, "learner", mine)) /
               least_cpu(select_rows(rows, "learner", first));
    });
}

Table race_table(const std::vector<Row>& rows) {
    const NumberFormat three{NumberFormat::Style::significant, 3};
    Table table;
    table.columns = {{"contender", Alignment::left},
                     {"CPU s", Alignment::right, three},
                     {"wall s", Alignment::right, three},
                     {"relative error", Alignment::right, {NumberFormat::Style::scientific, 1}},
                     {"peak MB", Alignment::right, {NumberFormat::Style::fixed, 0}},
                     {"answered by", Alignment::left},
                     {"CPU ratio", Alignment::right, {NumberFormat::Style::fixed, 2}}};
    const std::vector<std::vector<Row>> contenders = ranking(rows);
    for (const std::vector<Row>& rounds : contenders) {
        const auto least = [&](const char* metric) {
            return cell_of(rounds_of(rounds, metric), Statistic::least);
        };
        table.rows.push_back({rounds.front().key.learner,
                              least("cpu_seconds"),
                              least("seconds"),
                              least("relative_error"),
                              computed_cell(rounds,
                                            "least peak_rss / 10⁶",
                                            [](const std::vector<Row>& mine) {
                                                return rounds_of(mine, "peak_rss").summary.min /
                                                       1e6;
                                            }),
                              rounds.front().message,
                              ratio_cell(rounds, contenders.front())});
    }
    return table;
}

/// One size and number of threads.
struct Race {
    std::string d;
    std::string threads;
    std::vector<Row> rows;
};

std::vector<Race> races(const std::vector<Row>& rows) {
    std::vector<Race> all;
    for (const std::vector<Row>& mine : split_rows(rows, {"d", "threads"})) {
        all.push_back({to_string(*field(mine.front(), "d")),
                       to_string(*field(mine.front(), "threads")),
                       mine});
    }
    return all;
}

}  // namespace

Table timing_table(const std::vector<SolverTiming>& timings) {
    std::vector<Row> rows;
    for (const SolverTiming& timing : timings) {
        const CaseOutcome outcome = outcome_of(timing);
        rows.emplace_back();
        rows.back().key.learner = timing.contender;
        rows.back().metrics = outcome.metrics;
        rows.back().message = outcome.message;
    }
    return race_table(rows);
}

std::string solver_race_text(const std::vector<Row>& rows) {
    std::string text;
    for (const Race& race : races(rows)) {
        text += formatted("d = {}, N = {}, threads {}\n{}\n",
                          race.d,
                          to_string(*field(race.rows.front(), "num_examples")),
                          race.threads,
                          to_terminal(race_table(race.rows)));
    }
    return text;
}

Derived solver_race_derived(const std::vector<Row>& rows) {
    Derived derived;
    for (const Race& race : races(rows)) {
        derived.tables.push_back(
            {formatted("solver_race_d{}_threads{}", race.d, race.threads), race_table(race.rows)});
    }
    return derived;
}

}  // namespace attest

#include "bench/experiments/solvers/solver_race.hpp"

#include "bench/experiments/entries.hpp"
#include "core/base/memory.hpp"
#include "core/base/text.hpp"
#include "core/data/dataset_file.hpp"
#include "core/solve/cost_model.hpp"
#include "core/solve/solvers.hpp"
#include "record/cells.hpp"
#include "tasks/registry.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

namespace attest {

namespace {

constexpr Index kTokens = 32;

SourceShape shape_of(const RaceSize& size) {
    SourceShape shape;
    shape.num_examples = num_examples(size);
    shape.layout = size.d;
    shape.o = size.d;
    return shape;
}

/// Solvers of ours that answer, fit into memory and take at most this many times the time predicted
/// for the fastest: fewer where one solve takes seconds.
double worth_showing(Index d) {
    return d <= 12 ? 30.0 : d <= 16 ? 10.0 : 3.0;
}

std::vector<std::string> our_contenders(const SourceShape& shape) {
    const auto seconds = [&](const Solver& solver) {
        return predicted_seconds(solver.cost(shape), built_in_rates(), 1);
    };
    double least = std::numeric_limits<double>::infinity();
    for (const Solver& solver : solvers()) {
        if (solver.is_for(shape)) {
            least = std::min(least, seconds(solver));
        }
    }
    std::vector<std::string> names{"auto"};
    for (const Solver& solver : solvers()) {
        if (solver.is_for(shape) && seconds(solver) <= worth_showing(shape.m()) * least &&
            solver.cost(shape).bytes <= 0.5 * memory_limit()) {
            names.emplace_back(solver.name);
        }
    }
    return names;
}

/// Peers form N×ψ features and copy them; those that take an SVD or pivot are tried on small
/// problems only, and the largest is left to the fastest of them.
std::vector<std::string> peer_contenders(const SourceShape& shape) {
    const auto psi = static_cast<double>(shape.psi());
    const double bytes = 5.0 * 8.0 * static_cast<double>(shape.num_examples) * psi;
    if (bytes > 0.7 * memory_limit()) {
        return {};
    }
    std::vector<std::string> names;
    for (const std::string& name : peer_names()) {
        const bool fastest = name == "sklearn_ridge_cholesky";
        const bool fast = fastest || name == "numpy_normal_equations" || name == "torch_gels";
        if (fastest || shape.m() <= 12 || (fast && shape.m() <= 16)) {
            names.push_back(name);
        }
    }
    return names;
}

Case race_case(const RaceSize& size,
               int threads,
               Index round,
               const std::string& contender,
               const std::shared_ptr<std::unique_ptr<const RaceData>>& data,
               std::uint64_t seed) {
    Case one;
    one.key.task = "random-linear-attention";
    one.key.parameters = {{"d", std::int64_t{size.d}},
                          {"n", std::int64_t{kTokens}},
                          {"num_examples", std::int64_t{num_examples(size)}}};
    one.key.learner = contender;
    one.key.learner_parameters = {{"threads", std::int64_t{threads}}};
    one.key.seed = seed;
    one.key.repetition = round;
    one.run = [=] {
        if (!*data) {
            *data = std::make_unique<const RaceData>(size, seed);
        }
        return outcome_of(
            time_contender((*data)->file(), contender, {threads, size.d <= 16 ? 2 : 1}));
    };
    return one;
}

Experiment make_solver_race(Profile profile, std::uint64_t seed) {
    const bool full = profile == Profile::full;
    const std::vector<RaceSize> sizes =
        full ? std::vector<RaceSize>{{8, 4}, {12, 4}, {16, 4}, {20, 2}, {24, 2}}
             : std::vector<RaceSize>{{6, 4}, {8, 4}};
    Experiment experiment;
    experiment.id = "solver_race";
    experiment.profile = profile;
    experiment.seed = seed;
    for (const RaceSize& size : sizes) {
        const auto data = std::make_shared<std::unique_ptr<const RaceData>>();
        const std::vector<int> threads =
            full && size.d >= 16 && size.d <= 20 ? std::vector<int>{1, 2} : std::vector<int>{1};
        const Index rounds = size.d <= 20 ? 2 : 1;
        // Rounds outermost: what disturbs the machine for a while disturbs every contender.
        for (Index round = 0; round < rounds; ++round) {
            for (const int count : threads) {
                for (const std::string& contender : race_contenders(size)) {
                    experiment.cases.push_back(
                        race_case(size, count, round, contender, data, seed));
                }
            }
        }
    }
    return experiment;
}

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

Index num_examples(const RaceSize& size) {
    return static_cast<Index>(std::llround(size.ratio * static_cast<double>(feature_dim(size.d))));
}

RaceData::RaceData(const RaceSize& size, std::uint64_t seed) : file_(folder_.path() / "data.npz") {
    const auto task =
        make_task("random-linear-attention",
                  {{"d", std::to_string(size.d)}, {"n", std::to_string(kTokens)}, {"heads", "2"}},
                  seed);
    write_dataset(
        file_.string(), materialise(*task, 0, num_examples(size), 1), Compression::stored);
}

std::vector<std::string> race_contenders(const RaceSize& size) {
    const SourceShape shape = shape_of(size);
    std::vector<std::string> names = our_contenders(shape);
    const std::vector<std::string> peers = peer_contenders(shape);
    names.insert(names.end(), peers.begin(), peers.end());
    // Other BLAS libraries: one solver with a kernel of our own, one that lives on BLAS.
    for (const char* blas : {"blis", "reference"}) {
        if (size.d <= 12) {
            names.push_back(formatted("auto@{}", blas));
            names.push_back(formatted("tsqr@{}", blas));
        }
    }
    return names;
}

CaseOutcome outcome_of(const SolverTiming& timing) {
    CaseOutcome outcome;
    outcome.metrics["seconds"] = {timing.seconds, {}, "s"};
    outcome.metrics["cpu_seconds"] = {timing.cpu_seconds, {}, "s"};
    outcome.metrics["relative_error"] = {timing.relative_error};
    outcome.metrics["peak_rss"] = {timing.peak_rss_bytes, {}, "bytes"};
    outcome.message =
        formatted("{}{}{}", timing.note, timing.blas.empty() ? "" : ", ", timing.blas);
    return outcome;
}

ExperimentEntry solver_race() {
    return {.id = "solver_race",
            .summary = "solvers and other libraries on the same data: time, error, memory",
            .quick_seconds = 26.0,
            .full_seconds = 600.0,
            .make = make_solver_race,
            .text = solver_race_text,
            .derive_numbered = solver_race_derived,
            .topic = Topic::solvers,
            .timed = true};
}

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

#include "bench/experiments/frame/group_table.hpp"
#include "bench/experiments/frame/last_problem.hpp"
#include "bench/experiments/text/spans.hpp"
#include "bench/experiments/text/text_tables.hpp"
#include "record/cells.hpp"
#include "record/figure/series.hpp"

#include <array>

namespace attest {

// How much of the text to come is determined by N windows of it? One-hot tokens, 31 words and one
// coordinate for all others, windows of 3 or 8: a window is determined if its word counts lie in
// the span of those of the windows that ask the same word.
//
// Expected outcome: on held-out windows of the same documents the undetermined share follows the
// leave-one-out estimate and stays below rank/(N + 1) in the mean. Another family of documents is
// another law: of which neither says anything, and more is undetermined.

namespace {

constexpr Index kWords = 32;
constexpr Index kHeldOut = 4000;

struct CoverageSetting {
    std::string path;
    Index n = 3;  ///< tokens of a window
    Index repetition = 0;
    std::uint64_t seed = 0;

    friend bool operator==(const CoverageSetting&, const CoverageSetting&) = default;
};

/// A window of one-hot tokens: which word asks, and how often each word occurs.
struct CountedWindow {
    Index query = 0;
    std::vector<Index> counts;
};

struct CoverageProblem {
    std::vector<CountedWindow> train;  ///< in random order
    std::vector<CountedWindow> same;   ///< of the same documents, none of them in `train`
    std::vector<CountedWindow> other;  ///< of another family
    double shared_8grams = 0.0;
};

CountedWindow counted(const TextTask& task, const TextWindow& window) {
    const Index n = task.options.n;
    const auto& words = task.text.documents[static_cast<std::size_t>(window.document)].words;
    CountedWindow result{0, std::vector<Index>(static_cast<std::size_t>(kWords), 0)};
    for (Index t = window.end - n; t < window.end; ++t) {
        result.query = words[static_cast<std::size_t>(t)];
        ++result.counts[static_cast<std::size_t>(result.query)];
    }
    return result;
}

CoverageProblem coverage_problem(const CoverageSetting& setting) {
    TextOptions options;
    options.corpus.path = setting.path;
    options.vocabulary = kWords;
    options.representation = Representation::one_hot;
    options.labels = TextLabels::none;
    options.d = kWords;
    options.n = setting.n;
    options.seed = setting.seed + static_cast<std::uint64_t>(setting.repetition);
    const TextTask task = experiment_text(options);
    CoverageProblem problem;
    problem.shared_8grams = task.shared_8grams;
    for (const TextWindow& window : ordered_windows(task, TextPart::train)) {
        const bool held_out = std::ssize(problem.same) < kHeldOut;
        (held_out ? problem.same : problem.train).push_back(counted(task, window));
    }
    for (const TextWindow& window : ordered_windows(task, TextPart::test)) {
        problem.other.push_back(counted(task, window));
    }
    return problem;
}

using Groups = std::vector<CountSpan>;

double share_outside(const Groups& groups, const std::vector<CountedWindow>& windows) {
    Index outside = 0;
    for (const CountedWindow& window : windows) {
        outside += groups[static_cast<std::size_t>(window.query)].contains(window.counts) ? 0 : 1;
    }
    return static_cast<double>(outside) / static_cast<double>(windows.size());
}

CaseOutcome measure_coverage(const CoverageProblem& problem, Index N) {
    if (N > std::ssize(problem.train)) {
        return {{},
                RowStatus::skipped,
                formatted("the text has {} windows to learn from", problem.train.size())};
    }
    Groups groups(static_cast<std::size_t>(kWords), CountSpan(kWords));
    for (Index i = 0; i < N; ++i) {
        const CountedWindow& window = problem.train[static_cast<std::size_t>(i)];
        groups[static_cast<std::size_t>(window.query)].add(window.counts);
    }
    Index rank = 0;
    Index outside = 0;
    for (const CountSpan& group : groups) {
        rank += group.rank();
        outside += group.outside();
    }
    const auto draws = static_cast<double>(N);
    CaseOutcome outcome;
    outcome.metrics["rank"] = exact_metric(rank);
    outcome.metrics["same_documents"] = {share_outside(groups, problem.same)};
    outcome.metrics["other_family"] = {share_outside(groups, problem.other)};
    outcome.metrics["leave_one_out"] = {static_cast<double>(outside) / draws};
    // Of N + 1 exchangeable draws, and their rank is at most one more.
    outcome.metrics["bound"] = {static_cast<double>(rank + 1) / (draws + 1.0)};
    outcome.metrics["shared_8grams"] = {problem.shared_8grams};
    return outcome;
}

constexpr std::array kCurves{"same_documents", "leave_one_out", "bound", "other_family"};

Table coverage_table(const std::vector<Row>& rows) {
    std::vector<GroupColumn> columns{{"rank", kThreeDigits, "rank", Statistic::mean}};
    for (const char* curve : kCurves) {
        columns.push_back({curve, kThreeDigits, "", Statistic::mean});
        columns.push_back({curve, kThreeDigits, "± s.e.", Statistic::standard_error});
    }
    return group_table(rows, {{"n", "n"}, {"num_examples", "N"}}, columns);
}

std::string coverage_text(const std::vector<Row>& rows) {
    return leak_line(rows) + "Share of windows that N others leave undetermined\n" +
           to_terminal(coverage_table(rows));
}

Derived coverage_derived(const std::vector<Row>& rows) {
    Derived derived{{{"text_coverage", coverage_table(rows)}}, {}};
    Figure figure;
    figure.title = "What N windows of text leave undetermined";
    figure.columns = 2;
    figure.panel_width = 560;
    figure.legend = Legend::below;
    for (const std::string& n : distinct_values(rows, "n")) {
        Panel panel;
        panel.title = formatted("windows of {} words", n);
        panel.x = {"windows learned from, N", Scale::log10};
        panel.y = {"undetermined share", Scale::log10};
        panel.legend = Legend::none;
        for (const char* curve : kCurves) {
            for (Series& series :
                 series_from_rows(select_rows(rows, "n", n), {"num_examples", curve})) {
                series.name = spaced(curve);
                panel.series.push_back(std::move(series));
            }
        }
        if (!panel.series.empty()) {
            figure.panels.push_back(panel);
        }
    }
    if (!figure.panels.empty()) {
        derived.figures.push_back({"text_coverage", figure});
    }
    return derived;
}

using CoverageProblems = LastProblem<CoverageSetting, CoverageProblem>;

Experiment make_coverage(Profile profile, std::uint64_t seed, const std::string& path) {
    Experiment experiment = text_experiment("text_coverage", profile, seed, path);
    const auto problems = std::make_shared<CoverageProblems>(coverage_problem);
    const Index repetitions = profile == Profile::quick ? 5 : 20;
    const auto add = [&](Index n, Index repetition) {
        for (const Index N : {250, 500, 1000, 2000, 4000, 8000, 16000, 26000}) {
            const CoverageSetting setting{path, n, repetition, seed};
            CaseKey key;
            key.task = "text";
            key.parameters = {{"text", text_name(path)},
                              {"d", std::int64_t{kWords}},
                              {"n", std::int64_t{n}},
                              {"num_examples", std::int64_t{N}}};
            key.learner = "span";
            key.seed = seed;
            key.stream = Stream(seed).child("text").path();
            key.repetition = repetition;
            // The minors of windows of 8 may exceed the prime.
            key.precision = n == 3 ? "exact" : "modulo a prime of 61 bits";
            experiment.cases.push_back(
                {key, [=] { return measure_coverage(*problems->of(setting), N); }});
        }
    };
    for (const Index n : {3, 8}) {
        for (Index repetition = 0; repetition < repetitions; ++repetition) {
            add(n, repetition);
        }
    }
    return experiment;
}

}  // namespace

ExperimentEntry text_coverage(const std::string& path) {
    return {.id = "text_coverage",
            .summary = "real text: what share of it N windows leave undetermined, and the bound",
            .quick_seconds = 5.0,
            .full_seconds = 15.0,
            .make = [path](Profile profile,
                           std::uint64_t seed) { return make_coverage(profile, seed, path); },
            .text = coverage_text,
            .derive_numbered = coverage_derived};
}

}  // namespace attest

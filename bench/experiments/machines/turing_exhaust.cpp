#include "bench/experiments/entries.hpp"
#include "bench/experiments/frame/group_table.hpp"
#include "core/base/text.hpp"
#include "core/heads/split_heads.hpp"
#include "programs/language/literal_model.hpp"
#include "programs/learning/exhaust.hpp"
#include "record/figure/figure.hpp"
#include "record/figure/series.hpp"
#include "record/summary.hpp"

#include <algorithm>

namespace attest {

// Section 5 of arXiv 2410.10101 claims that a universal Turing machine can be learned from
// computation histories (Lemma C.5). Here a class is exhausted: all two-state two-symbol machines,
// every word, every start cell.
//
// Expected outcome: a fraction of a per cent of the runs determines every printed token of all of
// them, the exact minimiser prints them all, and nothing certified is wrong; the same minimiser
// runs on beyond the budget that it was trained with.

namespace {

constexpr Index kLongSteps = 200;
constexpr Index kLongRuns = 100;

double share(Index part, Index whole) {
    return static_cast<double>(part) / static_cast<double>(whole);
}

/// Random runs of the same machines with a far larger budget: which are determined to their end?
double long_certified(const LearnedProgram& learned,
                      const Utm2& program,
                      const TuringShape& shape,
                      const Stream& stream) {
    const TuringClass longer(shape, kLongSteps);
    const std::vector<Index> runs = longer.sample(kLongRuns, stream);
    const TraceSource traces = class_traces(program, longer, runs);
    Index certified = 0;
    for (Index i = 0; i < kLongRuns; ++i) {
        const std::vector<bool> tokens = certified_tokens(learned, traces(i));
        certified += std::all_of(tokens.begin(), tokens.end(), [](bool t) { return t; }) ? 1 : 0;
    }
    return share(certified, kLongRuns);
}

/// Heads of Algorithm 1: as many as the rank of the symmetric W, numerically.
Index count_heads(const SparseCoefficients& coefficients) {
    return split_heads(coefficient_matrix(coefficients), coefficients.d).heads.num_heads();
}

CaseOutcome measure(const TuringShape& shape,
                    Index steps,
                    Index train_runs,
                    Selection selection,
                    const Stream& stream) {
    const TuringClass machines(shape, steps);
    const Utm2 program(shape);
    const std::vector<Index> runs = machines.sample(train_runs, stream.child("train"));
    const LearnedProgram learned = learn_class(program, machines, runs, selection);
    const ExhaustReport found = exhaust(learned, program, machines, 1);
    CaseOutcome outcome;
    const auto add = [&](const char* name, double value) { outcome.metrics[name] = {value}; };
    add("runs_total", static_cast<double>(found.runs_total));
    add("tokens_total", static_cast<double>(found.tokens_total));
    add("train_runs_used", static_cast<double>(learned.num_traces));
    add("train_tokens", static_cast<double>(learned.num_tokens));
    add("active_features", static_cast<double>(learned.active_features));
    add("rank", static_cast<double>(learned.rank));
    add("denominator", static_cast<double>(learned.coefficients.denominator));
    add("coefficients", static_cast<double>(learned.coefficients.entries.size()));
    add("heads", static_cast<double>(count_heads(learned.coefficients)));
    const SparseCoefficients written = sparse_coefficients(program.program());
    add("program_coefficients", static_cast<double>(written.entries.size()));
    add("program_heads", static_cast<double>(program.program().heads.size()));
    add("certified_share", share(found.runs_certified, found.runs_total));
    add("exact_share", share(found.runs_exact, found.runs_total));
    add("certified_but_wrong", static_cast<double>(found.tokens_certified_but_wrong));
    add("long_certified_share", long_certified(learned, program, shape, stream.child("long")));
    return outcome;
}

Case exhaust_case(Index cells,
                  Index steps,
                  Index train_runs,
                  Selection selection,
                  std::uint64_t seed,
                  Index repetition) {
    const TuringShape shape{2, 1, 2, cells, Moves::left_right};
    const Stream stream = Stream(seed).child("turing_exhaust").child(repetition);
    CaseKey key;
    key.task = "turing_class";
    key.parameters = {{"states", std::int64_t{2}},
                      {"symbols", std::int64_t{2}},
                      {"cells", std::int64_t{cells}},
                      {"steps", std::int64_t{steps}},
                      {"train_runs", std::int64_t{train_runs}}};
    key.learner = selection == Selection::active ? "exact_active" : "exact_random";
    key.seed = seed;
    key.stream = stream.path();
    key.repetition = repetition;
    key.precision = "exact";
    return {key, [=] { return measure(shape, steps, train_runs, selection, stream); }};
}

Table exhaust_table(const std::vector<Row>& rows) {
    const NumberFormat whole{NumberFormat::Style::fixed, 0};
    const NumberFormat six{NumberFormat::Style::significant, 6};
    return group_table(rows,
                       {"cells", "steps", "learner", "train_runs"},
                       {{"runs_total", whole},
                        {"train_runs_used", whole},
                        {"train_tokens", whole},
                        {"rank", whole},
                        {"coefficients", whole},
                        {"heads", whole},
                        {"certified_share", six},
                        {"exact_share", six},
                        {"long_certified_share", six},
                        {"certified_but_wrong", whole}});
}

Panel exhaust_panel(const std::vector<Row>& rows, Index cells) {
    Panel panel;
    panel.title = formatted("{} cells", cells);
    panel.x = {"training runs", Scale::log10};
    panel.y = {"share of all runs of the class"};
    panel.y.min = 0.0;
    panel.y.max = 1.0;
    for (const char* metric : {"certified_share", "exact_share", "long_certified_share"}) {
        const std::vector<Row> random = select_rows(
            select_rows(rows, "learner", "exact_random"), "cells", std::to_string(cells));
        for (Series& series : series_from_rows(random, {"train_runs", metric, {}, Spread::range})) {
            series.name = spaced(metric);
            panel.series.push_back(std::move(series));
        }
    }
    panel.legend = Legend::none;
    return panel;
}

Experiment make_turing_exhaust(Profile profile, std::uint64_t seed) {
    const bool quick = profile == Profile::quick;
    Experiment experiment{"turing_exhaust", profile, seed};
    const auto offer = [&](Index cells, Index steps, const std::vector<Index>& all_runs) {
        for (Index repetition = 0; repetition < (quick ? 1 : 3); ++repetition) {
            for (const Index runs : all_runs) {
                experiment.cases.push_back(
                    exhaust_case(cells, steps, runs, Selection::all, seed, repetition));
            }
            experiment.cases.push_back(
                exhaust_case(cells, steps, all_runs.back(), Selection::active, seed, repetition));
        }
    };
    offer(2, 5, {50, 100, 200, 400, 800, 1600});
    offer(3, 6, quick ? std::vector<Index>{1500, 3000} : std::vector<Index>{800, 1500, 3000, 6000});
    return experiment;
}

std::string turing_exhaust_text(const std::vector<Row>& rows) {
    return "Every run of all two-state two-symbol machines, median over seeds\n" +
           to_terminal(exhaust_table(rows)) +
           formatted(
               "\ncertified_share: judged by random words, a token wrongly so with probability "
               "below 2^-{}; long_certified_share: proved over Z\n",
               kWordErrorBits);
}

Derived turing_exhaust_derived(const std::vector<Row>& rows) {
    Figure figure;
    figure.title = "Learning the universal Turing machine from a few runs of a class";
    figure.panels = {exhaust_panel(rows, 2), exhaust_panel(rows, 3)};
    figure.columns = 2;
    figure.panel_width = 560;
    figure.legend = Legend::below;
    return {{{"turing_exhaust", exhaust_table(rows)}}, {{"turing_exhaust", figure}}};
}

}  // namespace

ExperimentEntry turing_exhaust() {
    return {
        .id = "turing_exhaust",
        .summary = "a universal Turing machine learned from a few runs, checked on a whole class",
        .quick_seconds = 7.0,
        .full_seconds = 60.0,
        .make = make_turing_exhaust,
        .text = turing_exhaust_text,
        .derive_numbered = turing_exhaust_derived};
}

}  // namespace attest

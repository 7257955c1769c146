#include "bench/experiments/entries.hpp"
#include "bench/experiments/frame/group_table.hpp"
#include "core/base/text.hpp"
#include "programs/learning/learning_curve.hpp"
#include "record/figure/figure.hpp"
#include "record/figure/series.hpp"
#include "record/summary.hpp"

namespace attest {

// Figure 4 of arXiv 2410.10101: learning to simulate every deterministic automaton, against the
// number of states Q, letters V and the length L of words, the others at 4 (3 in the quick
// profile). The paper trains a transformer and reports the tokens it needs for 99 % next-token
// accuracy. Here the learner is the exact minimiser of one linear-attention layer on the two-token
// schema.
//
// Expected outcome: tokens grow polynomially in each of Q, V, L, as the rank of the features does,
// which cannot exceed psi = d·d(d+1)/2: all three curves stay within a small factor of it. Nothing
// certified is wrong.

namespace {

const std::string kTwoTokens = "dfa2";
const std::string kFiveTokens = "dfa5";  // the paper's schema
const std::vector<std::string> kVaried{"states", "letters", "length"};
const std::vector<std::string> kCurves{"rank", "tokens_99", "tokens_100", "tokens_certified"};
constexpr Index kMostTraces = 1 << 14;

DfaShape with_size(DfaShape shape, const std::string& varied, Index value) {
    (varied == "states"    ? shape.states
     : varied == "letters" ? shape.letters
                           : shape.length) = value;
    return shape;
}

/// The tokens of a point, or no metric where the curve ended before it. The paper counts the
/// letters of the words instead, L × examples.
void add_tokens(CaseOutcome& outcome,
                const std::string& level,
                const LearningPoint* point,
                const DfaShape& shape) {
    if (point == nullptr) {
        outcome.status = RowStatus::refused;
        outcome.message = "the traces offered do not certify every test token";
        return;
    }
    outcome.metrics["tokens_" + level] = {static_cast<double>(point->tokens)};
    outcome.metrics["examples_" + level] = {static_cast<double>(point->traces)};
    outcome.metrics["letters_" + level] = {static_cast<double>(point->traces * shape.length)};
}

CaseOutcome measure(const DfaProgram& program, const Stream& stream) {
    const DfaShape& shape = program.shape();
    const Index d = program.program().schema.dim();
    const LearningCurve curve = learning_curve(random_dfa_traces(program, stream.child("train")),
                                               random_dfa_traces(program, stream.child("test")),
                                               d,
                                               {.most_traces = kMostTraces, .test_traces = 128});
    CaseOutcome outcome;
    add_tokens(outcome, "99", first_accurate(curve, 0.99), shape);
    add_tokens(outcome, "100", first_accurate(curve, 1.0), shape);
    add_tokens(outcome, "certified", first_certified(curve), shape);
    const LearningPoint& last = curve.points.back();
    Index wrong = 0;
    for (const LearningPoint& point : curve.points) {
        wrong += point.wrong_certified;
    }
    outcome.metrics["rank"] = {static_cast<double>(last.rank)};
    outcome.metrics["d"] = {static_cast<double>(d)};
    outcome.metrics["psi"] = {static_cast<double>(feature_dim(d))};
    outcome.metrics["active_features"] = {static_cast<double>(curve.active_features)};
    outcome.metrics["classes"] = {static_cast<double>(curve.classes)};
    outcome.metrics["certified_but_wrong"] = {static_cast<double>(wrong)};
    return outcome;
}

Case curve_case(const std::string& task,
                const DfaShape& shape,
                std::uint64_t seed,
                Index repetition) {
    const Stream stream = Stream(seed)
                              .child("fig4")
                              .child(shape.states)
                              .child(shape.letters)
                              .child(shape.length)
                              .child(repetition);
    CaseKey key;
    key.task = task;
    key.parameters = {{"states", std::int64_t{shape.states}},
                      {"letters", std::int64_t{shape.letters}},
                      {"length", std::int64_t{shape.length}}};
    key.learner = "exact_basic";
    key.seed = seed;
    key.stream = stream.path();
    key.repetition = repetition;
    key.precision = "modulo 4194301";
    return {key, [=] {
                return task == kFiveTokens ? measure(Dfa5(shape), stream)
                                           : measure(Dfa2(shape), stream);
            }};
}

Table fig4_table(const std::vector<Row>& rows) {
    const NumberFormat whole{NumberFormat::Style::fixed, 0};
    return group_table(rows,
                       {"task", "states", "letters", "length"},
                       {{"d", whole},
                        {"psi", whole},
                        {"rank", whole},
                        {"tokens_99", whole},
                        {"tokens_100", whole},
                        {"tokens_certified", whole},
                        {"letters_99", whole},
                        {"letters_certified", whole},
                        {"certified_but_wrong", whole}});
}

/// Two-token rows of the shapes that differ from that of the first case in the varied size only.
std::vector<Row> rows_along(const std::vector<Row>& all, const std::string& varied) {
    std::vector<Row> rows = select_rows(all, "task", kTwoTokens);
    const Row first = rows.front();
    for (const std::string& other : kVaried) {
        if (other != varied) {
            rows = select_rows(rows, other, to_string(first.key.parameters.at(other)));
        }
    }
    return rows;
}

Panel fig4_panel(const std::vector<Row>& rows, const std::string& varied) {
    Panel panel;
    panel.title = varied == "states"    ? "Q, the states"
                  : varied == "letters" ? "V, the letters of the alphabet"
                                        : "L, the letters of a word";
    panel.x = {varied, Scale::log10};
    panel.x.ticks = {2, 3, 4, 6, 8};
    panel.y = {"printed tokens; rank", Scale::log10};
    for (const std::string& metric : kCurves) {
        std::vector<Series> found =
            series_from_rows(rows_along(rows, varied), {varied, metric, {}, Spread::range});
        for (Series& series : found) {
            series.name = spaced(metric);
            panel.series.push_back(std::move(series));
        }
    }
    panel.legend = Legend::none;
    return panel;
}

Experiment make_fig4(Profile profile, std::uint64_t seed) {
    const bool quick = profile == Profile::quick;
    const Index others = quick ? 3 : 4;
    const DfaShape first{others, others, others};
    std::vector<DfaShape> shapes{first};
    for (const std::string& varied : kVaried) {
        for (const Index value :
             quick ? std::vector<Index>{2, 3, 4} : std::vector<Index>{2, 3, 4, 6, 8}) {
            if (value != others) {
                shapes.push_back(with_size(first, varied, value));
            }
        }
    }
    Experiment experiment{"fig4", profile, seed};
    for (Index repetition = 0; repetition < (quick ? 1 : 3); ++repetition) {
        for (const DfaShape& shape : shapes) {
            experiment.cases.push_back(curve_case(kTwoTokens, shape, seed, repetition));
        }
    }
    const Index five = quick ? 2 : 4;
    experiment.cases.push_back(curve_case(kFiveTokens, {five, five, five}, seed, 0));
    return experiment;
}

std::string fig4_text(const std::vector<Row>& rows) {
    return "Printed tokens to learn every automaton, median over seeds\n" +
           to_terminal(fig4_table(rows)) +
           "\ntokens certified: every test token lies in the span modulo 2^22 - 3, by random null "
           "vectors; observed, not proved over Q\nletters: the paper's unit, L x examples; dfa5: "
           "the paper's schema, five tokens a letter\n";
}

Derived fig4_derived(const std::vector<Row>& rows) {
    Figure figure;
    figure.title = "Tokens to learn the universal automaton, and the rank that explains them";
    figure.columns = 3;
    figure.panel_width = 480;
    figure.legend = Legend::below;
    for (const std::string& varied : kVaried) {
        figure.panels.push_back(fig4_panel(rows, varied));
    }
    return {{{"fig4", fig4_table(rows)}}, {{"fig4", figure}}};
}

}  // namespace

ExperimentEntry fig4() {
    return {.id = "fig4",
            .summary = "universal automata: the tokens that learning and certification need",
            .quick_seconds = 4.0,
            .full_seconds = 2400.0,
            .make = make_fig4,
            .text = fig4_text,
            .derive_numbered = fig4_derived};
}

}  // namespace attest

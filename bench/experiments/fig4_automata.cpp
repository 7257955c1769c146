#include "bench/experiments/fig4_automata.hpp"

#include "bench/experiments/report_files.hpp"
#include "core/base/text.hpp"
#include "core/record/figure.hpp"
#include "core/record/series.hpp"
#include "core/record/summary.hpp"
#include "core/record/table.hpp"
#include "tasks/programs/learning_curve.hpp"

#include <algorithm>

namespace attest {

namespace {

const std::vector<std::string> kVaried{"states", "letters", "length"};
const std::vector<std::string> kMetrics{"rank", "tokens_99", "tokens_100", "tokens_certified"};

DfaShape shape_of(const std::string& varied, Index value) {
    DfaShape shape{4, 4, 4};
    (varied == "states"    ? shape.states
     : varied == "letters" ? shape.letters
                           : shape.length) = value;
    return shape;
}

/// The tokens of a point, or no metric where the curve ended before it.
void add_tokens(CaseOutcome& outcome, const std::string& name, const CurvePoint* point) {
    if (point == nullptr) {
        outcome.status = RowStatus::refused;
        outcome.message = "the traces offered do not certify every test token";
        return;
    }
    outcome.metrics[name] = {static_cast<double>(point->tokens)};
    outcome.metrics["traces" + name.substr(6)] = {static_cast<double>(point->traces)};
}

CaseOutcome measure(const DfaShape& shape, const Stream& stream) {
    const Dfa2 program(shape);
    const Index d = program.program().schema.dim();
    const LearningCurve curve = learning_curve(random_dfa_traces(program, stream.child("train")),
                                               random_dfa_traces(program, stream.child("test")),
                                               d,
                                               {.most_traces = 1 << 14, .test_traces = 128});
    CaseOutcome outcome;
    add_tokens(outcome, "tokens_99", first_accurate(curve, 0.99));
    add_tokens(outcome, "tokens_100", first_accurate(curve, 1.0));
    add_tokens(outcome, "tokens_certified", first_certified(curve));
    const CurvePoint& last = curve.points.back();
    outcome.metrics["rank"] = {static_cast<double>(last.rank)};
    outcome.metrics["d"] = {static_cast<double>(d)};
    outcome.metrics["psi"] = {static_cast<double>(feature_dim(d))};
    outcome.metrics["active_features"] = {static_cast<double>(curve.active_features)};
    outcome.metrics["certified_but_wrong"] = {static_cast<double>(last.wrong_certified)};
    return outcome;
}

Case curve_case(const std::string& varied, Index value, std::uint64_t seed, Index repetition) {
    const DfaShape shape = shape_of(varied, value);
    const Stream stream = Stream(seed).child("fig4").child(varied).child(value).child(repetition);
    CaseKey key;
    key.task = "dfa2";
    key.parameters = {{"varied", varied},
                      {"value", std::int64_t{value}},
                      {"states", std::int64_t{shape.states}},
                      {"letters", std::int64_t{shape.letters}},
                      {"length", std::int64_t{shape.length}}};
    key.learner = "exact_basic";
    key.seed = seed;
    key.stream = stream.path();
    key.repetition = repetition;
    key.precision = "modulo 4194301";
    return {key, [shape, stream] { return measure(shape, stream); }};
}

Table fig4_table(const std::vector<Row>& rows) {
    Table table;
    table.columns = {{"varied", Alignment::left}, {"value"}};
    for (const std::string& metric : kMetrics) {
        table.columns.push_back({metric, Alignment::right, {NumberFormat::Style::fixed, 0}});
    }
    for (const RowGroup& group : group_rows(rows, {"varied", "value"}, kMetrics[0])) {
        table.rows.push_back({to_string(group.keys[0]), std::get<std::int64_t>(group.keys[1])});
    }
    for (const std::string& metric : kMetrics) {
        const std::vector<RowGroup> groups = group_rows(rows, {"varied", "value"}, metric);
        for (std::size_t i = 0; i < groups.size(); ++i) {
            table.rows[i].push_back(groups[i].summary.count > 0 ? Cell(groups[i].summary.median)
                                                                : Cell());
        }
    }
    return table;
}

Panel fig4_panel(const std::vector<Row>& rows, const std::string& varied) {
    Panel panel;
    panel.title = concat("Number of ", varied == "length" ? "letters of a word" : varied);
    panel.x = {varied};
    panel.y = {"generated tokens; rank", Scale::log10};
    for (const std::string& metric : kMetrics) {
        std::vector<Series> found = series_from_rows(select_rows(rows, "varied", varied),
                                                     {"value", metric, {}, Spread::range});
        for (Series& series : found) {
            series.name = metric;
            std::replace(series.name.begin(), series.name.end(), '_', ' ');
            panel.series.push_back(std::move(series));
        }
    }
    panel.legend = Legend::none;
    return panel;
}

}  // namespace

Experiment make_fig4(Profile profile, std::uint64_t seed) {
    const bool quick = profile == Profile::quick;
    const std::vector<Index> values =
        quick ? std::vector<Index>{2, 3, 4} : std::vector<Index>{2, 3, 4, 6, 8};
    Experiment experiment{"fig4", profile, seed};
    for (const std::string& varied : kVaried) {
        for (const Index value : values) {
            for (Index repetition = 0; repetition < 3; ++repetition) {
                experiment.cases.push_back(curve_case(varied, value, seed, repetition));
            }
        }
    }
    return experiment;
}

std::string fig4_text(const std::vector<Row>& rows) {
    return "Generated tokens to learn every automaton, others at 4, median over seeds\n" +
           to_terminal(fig4_table(rows)) +
           "\ntokens_certified: every test token lies in the span modulo 2^22 - 3, by random null "
           "vectors; observed, not proved over Q\n";
}

std::vector<std::filesystem::path> derive_fig4(const std::vector<Row>& rows,
                                               const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> files;
    write_table(fig4_table(rows), folder / "tables" / "fig4", files);
    std::filesystem::create_directories(folder / "figures");
    Figure figure;
    figure.title = "Tokens to learn the universal automaton, and the rank that explains them";
    figure.columns = 3;
    figure.panel_width = 480;
    figure.legend = Legend::below;
    for (const std::string& varied : kVaried) {
        figure.panels.push_back(fig4_panel(rows, varied));
    }
    files.push_back(folder / "figures" / "fig4.svg");
    write_figure(figure, files.back());
    return files;
}

}  // namespace attest

#include "bench/experiments/frame/group_table.hpp"
#include "bench/experiments/frame/last_problem.hpp"
#include "bench/experiments/frame/timer.hpp"
#include "bench/experiments/text/learning_problem.hpp"
#include "bench/experiments/text/sketches.hpp"
#include "bench/experiments/text/text_case.hpp"
#include "bench/experiments/text/text_entries.hpp"
#include "record/cells.hpp"
#include "record/figure/series.hpp"

#include <array>

namespace attest {

// Can sparse or sketched features make learning tractable? The risk of least squares on m numbers
// in the place of ψ cubic features of text, by six ways to choose them. LASSO is not among them: no
// library of Debian that is at hand has it.
//
// Expected outcome: per feature leading eigenvectors of Λ are best, features chosen by matching
// pursuit next; TensorSketch is cheapest, and among the worst. On text a few dozen eigenvectors do
// as well as all features. None of it certifies the layer (readers/approximate_features).

namespace {

constexpr std::array kSketchKinds{SketchKind::eigenvectors,
                                  SketchKind::pursuit,
                                  SketchKind::mean_square,
                                  SketchKind::count_sketch,
                                  SketchKind::tensor_sketch,
                                  SketchKind::projection};
/// Keeps the factorisation of dependent features going; on features of mean square 1.
constexpr double kSketchRidge = 1e-9;

using SketchProblems = LastProblem<LearningSetting, LearningProblem>;

CaseOutcome measure_sketch(
    SketchKind kind, const LearningProblem& problem, Index d, Index m, const Stream& stream) {
    const Timer timer;
    const Matrix B = sketch(kind, problem.train.moments, d, m, stream);
    const double seconds = timer.cpu_seconds();
    const Moments train = sketched(problem.train.moments, B);
    const Matrix P = scaled_ridge(train, kSketchRidge);
    CaseOutcome outcome;
    outcome.metrics["choose_cpu_seconds"] = {seconds, {}, "s"};
    outcome.metrics["train_risk"] = {relative_risk(P, train)};
    outcome.metrics["test_risk"] = {relative_risk(P, sketched(problem.test.moments, B))};
    outcome.metrics["shared_8grams"] = {problem.task.shared_8grams};
    return outcome;
}

Table sketch_table(const std::vector<Row>& rows) {
    const NumberFormat four{NumberFormat::Style::fixed, 4};
    return group_table(rows,
                       {{"d", "d"}, {"learner"}, {"features", "m"}},
                       {{"train_risk", four, "training risk", Statistic::mean},
                        {"test_risk", four, "test risk", Statistic::mean},
                        {"test_risk", four, "± s.e.", Statistic::standard_error},
                        {"choose_cpu_seconds", kThreeDigits, "CPU s to choose", Statistic::mean}});
}

Derived sketch_derived(const std::vector<Row>& rows) {
    Derived derived{{{"text_sketch", sketch_table(rows)}}, {}};
    Figure figure;
    figure.title = "Least squares on m sketched or chosen features of text";
    figure.columns = 2;
    figure.panel_width = 560;
    figure.legend = Legend::below;
    for (const std::string& d : distinct_values(rows, "d")) {
        for (const char* metric : {"train_risk", "test_risk"}) {
            Panel panel;
            panel.title = formatted("d = {}, {}", d, spaced(metric));
            panel.x = {"features m", Scale::log10};
            panel.y = {"relative risk"};
            panel.legend = Legend::none;
            panel.series =
                series_from_rows(select_rows(rows, "d", d), {"features", metric, {"learner"}});
            if (!panel.series.empty()) {
                figure.panels.push_back(panel);
            }
        }
    }
    if (!figure.panels.empty()) {
        derived.figures.push_back({"text_sketch", figure});
    }
    return derived;
}

Experiment make_sketch(Profile profile, std::uint64_t seed, const std::string& path) {
    const bool quick = profile == Profile::quick;
    Experiment experiment = text_experiment("text_sketch", profile, seed, path);
    const auto problems = std::make_shared<SketchProblems>(learning_problem);
    for (const Index d : quick ? std::vector<Index>{8} : std::vector<Index>{8, 16}) {
        const LearningSetting setting{path, d, TextLabels::ppmi, 0, seed};
        for (const SketchKind kind : kSketchKinds) {
            // More would take pursuit hours at d = 16, and be no sketch any more.
            const Index most = d > 8 ? 256 : feature_dim(d);
            for (Index m = 4; m < 4 * most; m *= 4) {
                const Index features = std::min(m, most);
                for (Index draw = 0; draw < (is_random(kind) ? 5 : 1); ++draw) {
                    const Stream stream =
                        Stream(seed).child("text_sketch").child(to_string(kind)).child(draw);
                    CaseKey key;
                    key.task = "text";
                    key.parameters = {{"text", text_name(path)}, {"d", std::int64_t{d}}};
                    key.learner = to_string(kind);
                    key.learner_parameters = {{"features", std::int64_t{features}}};
                    key.seed = seed;
                    key.stream = stream.path();
                    key.repetition = draw;
                    experiment.cases.push_back(
                        {key, [=] {
                             return measure_sketch(
                                 kind, *problems->of(setting), d, features, stream);
                         }});
                }
            }
        }
    }
    return experiment;
}

}  // namespace

ExperimentEntry text_sketch(const std::string& path) {
    return {.id = "text_sketch",
            .summary = "real text: m chosen or sketched features in the place of all",
            .quick_seconds = 2.0,
            .full_seconds = 60.0,
            .make = [path](Profile profile,
                           std::uint64_t seed) { return make_sketch(profile, seed, path); },
            .text =
                [](const std::vector<Row>& rows) {
                    return leak_line(rows) + to_terminal(sketch_table(rows));
                },
            .derive_numbered = sketch_derived};
}

}  // namespace attest

#include "bench/experiments/frame/last_problem.hpp"
#include "bench/experiments/sketch/sketches.hpp"
#include "bench/experiments/text/learners.hpp"
#include "bench/experiments/text/text_tables.hpp"
#include "record/summary.hpp"

#include <utility>

namespace attest {

// Can sparse or sketched features make learning tractable? The risk of least squares on m numbers
// in the place of ψ cubic features of text, by seven ways to choose them. LASSO is not among them:
// no library of Debian that is at hand has it.
//
// Expected outcome: per feature leading eigenvectors of Λ are best, features chosen by matching
// pursuit next; TensorSketch is cheapest, and among the worst. On text a few dozen eigenvectors do
// as well as all features. None of it certifies the layer (readers/approximate_features).

namespace {

using SketchProblems = LastProblem<LearningSetting, LearningProblem>;

Table text_table(const std::vector<Row>& rows) {
    return sketch_table(rows, {{"d", "d"}});
}

Derived text_derived(const std::vector<Row>& rows) {
    std::vector<Panel> panels;
    for (const std::string& d : distinct_values(rows, "d")) {
        for (const char* metric : {"train_risk", "test_risk"}) {
            panels.push_back(
                sketch_panel(select_rows(rows, "d", d), metric, formatted("d = {}", d)));
        }
    }
    return sketch_derived("text_sketch",
                          text_table(rows),
                          std::move(panels),
                          "Least squares on m sketched or chosen features of text");
}

Experiment make_sketch(Profile profile, std::uint64_t seed, const std::string& path) {
    const bool quick = profile == Profile::quick;
    Experiment experiment = text_experiment("text_sketch", profile, seed, path);
    const auto problems = std::make_shared<SketchProblems>(learning_problem);
    for (const Index d : quick ? std::vector<Index>{8} : std::vector<Index>{8, 16}) {
        const LearningSetting setting{path, d, TextLabels::ppmi, 0, seed};
        // More would take pursuit hours at d = 16, and be no sketch any more.
        const Index most = d > 8 ? 256 : feature_dim(d);
        for (const SketchChoice& choice : sketch_choices(most)) {
            const Stream root = Stream(seed).child("text_sketch");
            CaseKey key;
            key.task = "text";
            key.parameters = {{"text", text_name(path)}, {"d", std::int64_t{d}}};
            key.seed = seed;
            choice.name(key, root);
            experiment.cases.push_back(
                {key, [=] {
                     const auto problem = problems->of(setting);
                     CaseOutcome outcome;
                     outcome.metrics = measure_sketch(
                         choice, problem->train.moments, problem->test.moments, d, root);
                     outcome.metrics["shared_8grams"] = {problem->task.shared_8grams};
                     return outcome;
                 }});
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
                    return leak_line(rows) + to_terminal(text_table(rows));
                },
            .derive_numbered = text_derived};
}

}  // namespace attest

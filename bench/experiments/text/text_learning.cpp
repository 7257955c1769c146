#include "bench/experiments/frame/group_table.hpp"
#include "bench/experiments/frame/last_problem.hpp"
#include "bench/experiments/text/learners.hpp"
#include "bench/experiments/text/text_tables.hpp"
#include "core/base/timer.hpp"
#include "record/cells.hpp"
#include "record/figure/series.hpp"

namespace attest {

// A layer of linear attention learned on real language, by least squares and by gradient descent,
// against what is simpler: windows of eight words as PPMI vectors, the next word as its PPMI vector
// or as a unit vector. Everything that is chosen is chosen on the validation part; risks and
// accuracies are those of the test part, other families of documents.
//
// Expected outcome: least squares has the least training risk at once; heads by Adam come near it.
// On the test part a ridge about ties a linear ridge on [z, mean of the window, 1], and all dense
// layers lose to a bigram table in accuracy: identified is not good.

namespace {

/// A learner of the experiment, heads where it has some.
struct TextLearner {
    std::string name;
    Index heads = 0;
};

TextLearned learn(const TextLearner& learner,
                  const LearningProblem& problem,
                  const LearningSetting& setting,
                  const DescentEffort& effort) {
    if (learner.name == "heads") {
        return learn_heads(problem, setting, learner.heads, effort);
    }
    if (learner.name == "softmax") {
        return learn_softmax(problem, setting, learner.heads, effort);
    }
    return learner.name == "mean"            ? learn_mean(problem)
           : learner.name == "bigram"        ? learn_bigram(problem)
           : learner.name == "trigram"       ? learn_trigram(problem)
           : learner.name == "linear_ridge"  ? learn_linear(problem)
           : learner.name == "least_squares" ? learn_least_squares(problem)
                                             : learn_ridge(problem);
}

CaseOutcome measure_learning(const TextLearner& learner,
                             const LearningProblem& problem,
                             const LearningSetting& setting,
                             const DescentEffort& effort) {
    const Timer timer;
    const TextLearned learned = learn(learner, problem, setting, effort);
    const double seconds = timer.cpu_seconds();
    const Score test = score(learned.test, problem.test, problem.task);
    CaseOutcome outcome;
    outcome.metrics = learned.chosen;
    outcome.metrics["train_risk"] = {learned.train_risk};
    outcome.metrics["validation_risk"] = {learned.validation_risk};
    outcome.metrics["test_risk"] = {test.risk};
    outcome.metrics["accuracy"] = {test.accuracy};
    outcome.metrics["accuracy_error"] = {test.standard_error};
    outcome.metrics["cpu_seconds"] = {seconds, {}, "s"};
    outcome.metrics["shared_8grams"] = {problem.task.shared_8grams};
    return outcome;
}

using LearningProblems = LastProblem<LearningSetting, LearningProblem>;

Case learning_case(const TextLearner& learner,
                   const LearningSetting& setting,
                   const DescentEffort& effort,
                   const std::shared_ptr<LearningProblems>& problems) {
    CaseKey key;
    key.task = "text";
    key.parameters = {{"text", text_name(setting.path)},
                      {"labels", setting.labels == TextLabels::ppmi ? "ppmi" : "one_hot"},
                      {"d", std::int64_t{setting.d}}};
    key.learner = learner.name;
    if (learner.heads > 0) {
        key.learner_parameters = {{"heads", std::int64_t{learner.heads}}};
    }
    key.seed = setting.seed;
    key.stream = setting.stream().path();
    key.repetition = setting.repetition;
    return {key,
            [=] { return measure_learning(learner, *problems->of(setting), setting, effort); }};
}

std::vector<TextLearner> learners_of(TextLabels labels, Index d) {
    std::vector<TextLearner> learners{
        {"mean"}, {"bigram"}, {"trigram"}, {"linear_ridge"}, {"least_squares"}, {"ridge"}};
    if (labels == TextLabels::ppmi) {
        learners.push_back({"softmax", 4});
        if (d <= 8) {
            learners.push_back({"heads", 1});
            learners.push_back({"heads", 4});
            learners.push_back({"heads", packed_dim(d)});
        }
    }
    return learners;
}

Experiment make_learning(Profile profile, std::uint64_t seed, const std::string& path) {
    const bool quick = profile == Profile::quick;
    Experiment experiment = text_experiment("text_learning", profile, seed, path);
    const auto problems = std::make_shared<LearningProblems>(learning_problem);
    const DescentEffort effort = quick ? DescentEffort{} : DescentEffort{12000, 20000, 0.01};
    for (const Index d : quick ? std::vector<Index>{8} : std::vector<Index>{8, 16}) {
        for (const TextLabels labels : {TextLabels::ppmi, TextLabels::one_hot}) {
            // At d = 16 the moments alone take a quarter of a minute each.
            const Index repetitions = quick || d > 8 ? 2 : 5;
            for (Index repetition = 0; repetition < repetitions; ++repetition) {
                const LearningSetting setting{path, d, labels, repetition, seed};
                for (const TextLearner& learner : learners_of(labels, d)) {
                    experiment.cases.push_back(learning_case(learner, setting, effort, problems));
                }
            }
        }
    }
    return experiment;
}

Table learning_table(const std::vector<Row>& rows) {
    const NumberFormat percent{NumberFormat::Style::fixed, 4};
    return group_table(rows,
                       {{"labels"}, {"d", "d"}, {"learner"}, {"heads", "H"}},
                       {{"train_risk", percent, "training risk", Statistic::mean},
                        {"validation_risk", percent, "validation", Statistic::mean},
                        {"test_risk", percent, "test", Statistic::mean},
                        {"test_risk", percent, "± s.e.", Statistic::standard_error},
                        {"accuracy", percent, "accuracy", Statistic::mean},
                        {"accuracy", percent, "± s.e.", Statistic::standard_error},
                        {"accuracy_error", percent, "± of one sample", Statistic::mean},
                        {"early_test_risk", percent, "test, stopped early", Statistic::mean},
                        {"above_floor", kThreeDigits, "training above floor", Statistic::mean},
                        {"cpu_seconds", kThreeDigits, "CPU s", Statistic::mean}});
}

std::string learning_text(const std::vector<Row>& rows) {
    return leak_line(rows) +
           "Risks relative to that of predicting zero; means over samples of the training text\n" +
           to_terminal(learning_table(rows));
}

/// The mean of a metric over rows, as a line across the panel.
void add_guide(Panel& panel,
               const std::vector<Row>& rows,
               const std::string& learner,
               const char* metric,
               const char* label) {
    const std::vector<RowGroup> groups =
        group_rows(select_rows(rows, "learner", learner), {}, metric);
    if (!groups.empty() && groups.front().summary.count > 0) {
        panel.guides.push_back({Guide::Direction::horizontal, groups.front().summary.mean, label});
    }
}

Derived learning_derived(const std::vector<Row>& rows) {
    Derived derived{{{"text_learning", learning_table(rows)}}, {}};
    const std::vector<Row> dense = select_rows(select_rows(rows, "labels", "ppmi"), "d", "8");
    Panel panel;
    panel.x = {"heads", Scale::log10};
    panel.y = {"relative risk"};
    for (const char* metric : {"train_risk", "test_risk", "early_test_risk"}) {
        for (Series& series :
             series_from_rows(select_rows(dense, "learner", "heads"), {"heads", metric})) {
            series.name = spaced(metric);
            panel.series.push_back(std::move(series));
        }
    }
    if (panel.series.empty()) {
        return derived;
    }
    add_guide(panel, dense, "least_squares", "train_risk", "least squares, training");
    add_guide(panel, dense, "least_squares", "test_risk", "least squares, test");
    add_guide(panel, dense, "ridge", "test_risk", "ridge, test");
    add_guide(panel, dense, "bigram", "test_risk", "bigram, test");
    Figure figure;
    figure.title = "Heads by gradient descent on text, and the floor of least squares";
    figure.panels.push_back(panel);
    derived.figures.push_back({"text_learning", figure});
    return derived;
}

}  // namespace

ExperimentEntry text_learning(const std::string& path) {
    return {.id = "text_learning",
            .summary = "real text: least squares, gradient descent, softmax, n-grams, side by side",
            .quick_seconds = 16.0,
            .full_seconds = 200.0,
            .make = [path](Profile profile,
                           std::uint64_t seed) { return make_learning(profile, seed, path); },
            .text = learning_text,
            .derive_numbered = learning_derived};
}

}  // namespace attest

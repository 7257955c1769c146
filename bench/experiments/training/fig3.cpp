#include "bench/experiments/entries.hpp"
#include "bench/experiments/training/training_cases.hpp"
#include "bench/experiments/training/training_report.hpp"

namespace attest {

// Figure 3 of arXiv 2410.10101: 1, 2 and 4 layers of single-head linear attention with residual
// connections, and a transformer, on the data of Figure 1.
//
// Expected outcome: every stack can represent the teacher, whose layer may be the last one with the
// others at zero, yet more layers end higher at the same number of updates; so does the
// transformer, which cannot represent it.

namespace {

constexpr Index kTransformerSize = 4;  // the d of the tokens it is trained on

void add_layers(Experiment& experiment,
                const TrainingSetting& setting,
                const std::shared_ptr<TrainingProblems>& problems) {
    const bool quick = experiment.profile == Profile::quick;
    experiment.cases.push_back(
        algorithm_1_case(setting, algorithm_1_sequences(setting).back(), problems));
    const std::vector<double> rates =
        quick ? std::vector<double>{0.01} : std::vector<double>{0.01, 0.001};
    for (const Index layers : {1, 2, 4}) {
        for (const double rate : rates) {
            experiment.cases.push_back(training_case(
                setting, {"layers", layers, rate, 32, quick ? 1600 : 6400}, problems));
        }
    }
}

Experiment make_fig3(Profile profile, std::uint64_t seed) {
    const bool quick = profile == Profile::quick;
    const Index num_sequences = quick ? 256 : 2048;
    Experiment experiment{"fig3", profile, seed};
    const auto problems = std::make_shared<TrainingProblems>(training_problem);
    const std::vector<Index> sizes = quick ? std::vector<Index>{2, 4} : std::vector<Index>{2, 4, 8};
    for (const Index d : sizes) {
        for (Index repetition = 0; repetition < (quick ? 2 : 5); ++repetition) {
            add_layers(experiment, {d, num_sequences, seed, repetition}, problems);
        }
    }
    // A step of the transformer costs about a hundred of one layer, so it comes last, and in the
    // quick profile with fewer seeds.
    for (Index repetition = 0; repetition < (quick ? 1 : 5); ++repetition) {
        experiment.cases.push_back(
            training_case({kTransformerSize, num_sequences, seed, repetition},
                          {"transformer", 2, 0.001, 32, quick ? 100 : 6400, "float"},
                          problems));
    }
    return experiment;
}

std::string fig3_text(const std::vector<Row>& rows) {
    return "Relative MSE on held-out sequences after the last update, over seeds\n" +
           to_terminal(training_table(rows));
}

Derived fig3_derived(const std::vector<Row>& rows) {
    return training_derived(rows, "fig3", "Layers trained by gradient descent, and a transformer");
}

}  // namespace

ExperimentEntry fig3() {
    return {.id = "fig3",
            .summary = "layers of linear attention and a transformer on the data of fig1",
            .quick_seconds = 9.0,
            .full_seconds = 1500.0,
            .make = make_fig3,
            .text = fig3_text,
            .derive_numbered = fig3_derived,
            .timed = true};
}

}  // namespace attest

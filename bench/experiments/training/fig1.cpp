#include "bench/experiments/entries.hpp"
#include "bench/experiments/training/training_cases.hpp"
#include "bench/experiments/training/training_report.hpp"

namespace attest {

// Figure 1 of arXiv 2410.10101: one layer of linear attention with 1 to 64 heads, trained by
// gradient descent on random linear attention, beside Algorithm 1.
//
// Expected outcome: with d² heads gradient descent reaches the floor of floating point in every
// seed, as Algorithm 1 does from one sequence in a fraction of the time. The time to a given error
// falls with the number of heads, but the final error is not monotone in it: a few heads may be
// worse than one.

namespace {

/// What is trained at one d.
struct Fig1Size {
    Index d;
    std::vector<Index> heads;
    std::vector<double> rates;
    std::vector<Index> batches;
    Index repetitions;
    Index updates;
};

std::vector<Fig1Size> fig1_sizes(Profile profile) {
    if (profile == Profile::quick) {
        return {{2, {1, 2, 4, 8, 16}, {0.01}, {32}, 5, 6400},
                {4, {1, 2, 4, 8, 16, 64}, {0.01}, {32}, 5, 6400},
                {8, {1, 8, 64}, {0.01}, {32}, 5, 3200}};
    }
    const std::vector<Index> all{1, 2, 4, 8, 16, 64};
    return {{2, all, {0.01, 0.001}, {32, 64}, 5, 6400},
            {4, all, {0.01, 0.001}, {32, 64}, 5, 6400},
            {8, all, {0.01, 0.001}, {32, 64}, 5, 6400},
            {16, {1, 16, 64}, {0.01, 0.001}, {32}, 3, 6400}};
}

void add_size(Experiment& experiment,
              const Fig1Size& size,
              const TrainingSetting& setting,
              const std::shared_ptr<TrainingProblems>& problems) {
    for (const Index sequences : algorithm_1_sequences(setting)) {
        experiment.cases.push_back(algorithm_1_case(setting, sequences, problems));
    }
    for (const Index heads : size.heads) {
        for (const double rate : size.rates) {
            for (const Index batch : size.batches) {
                experiment.cases.push_back(
                    training_case(setting, {"heads", heads, rate, batch, size.updates}, problems));
            }
        }
    }
}

Experiment make_fig1(Profile profile, std::uint64_t seed) {
    Experiment experiment{"fig1", profile, seed};
    const auto problems = std::make_shared<TrainingProblems>(training_problem);
    const Index num_sequences = profile == Profile::quick ? 256 : 2048;
    for (const Fig1Size& size : fig1_sizes(profile)) {
        for (Index repetition = 0; repetition < size.repetitions; ++repetition) {
            add_size(experiment, size, {size.d, num_sequences, seed, repetition}, problems);
        }
    }
    return experiment;
}

std::string fig1_text(const std::vector<Row>& rows) {
    return "Relative MSE on held-out sequences after the last update, over seeds\n" +
           to_terminal(training_table(rows));
}

Derived fig1_derived(const std::vector<Row>& rows) {
    Derived derived =
        training_derived(rows, "fig1", "Heads trained by gradient descent, and Algorithm 1");
    Figure figure;
    figure.title = "Where training ends, by number of heads";
    figure.panel_width = 520;
    figure.legend = Legend::below;
    for (const std::int64_t d : training_sizes(rows)) {
        figure.panels.push_back(heads_panel(rows, d));
    }
    figure.columns = static_cast<Index>(figure.panels.size());
    derived.figures.push_back({"fig1_final", figure});
    return derived;
}

}  // namespace

ExperimentEntry fig1() {
    return {
        .id = "fig1",
        .summary = "heads trained by gradient descent on random linear attention, and Algorithm 1",
        .quick_seconds = 16.0,
        .full_seconds = 1200.0,
        .make = make_fig1,
        .text = fig1_text,
        .derive_numbered = fig1_derived,
        .timed = true};
}

}  // namespace attest

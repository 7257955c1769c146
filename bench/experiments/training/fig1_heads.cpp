#include "bench/experiments/training/fig1_heads.hpp"

#include "bench/experiments/training/training_cases.hpp"
#include "bench/experiments/training/training_curves.hpp"
#include "bench/experiments/training/training_report.hpp"

namespace attest {

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

std::vector<Fig1Size> sizes(Profile profile) {
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

void add_cases(Experiment& experiment, const Fig1Size& size, const TrainingSetting& setting) {
    for (const Index sequences : algorithm_1_sequences(setting)) {
        experiment.cases.push_back(algorithm_1_case(setting, sequences));
    }
    for (const Index heads : size.heads) {
        for (const double rate : size.rates) {
            for (const Index batch : size.batches) {
                experiment.cases.push_back(
                    training_case(setting, {"heads", heads, rate, batch, size.updates}));
            }
        }
    }
}

}  // namespace

Experiment make_fig1(Profile profile, std::uint64_t seed) {
    Experiment experiment{"fig1", profile, seed};
    const Index num_sequences = profile == Profile::quick ? 256 : 2048;
    for (const Fig1Size& size : sizes(profile)) {
        for (Index repetition = 0; repetition < size.repetitions; ++repetition) {
            add_cases(experiment, size, {size.d, num_sequences, seed, repetition});
        }
    }
    return experiment;
}

std::string fig1_text(const std::vector<Row>& rows) {
    return "Relative MSE on held-out sequences after the last update, over seeds\n" +
           to_terminal(training_table(rows));
}

std::vector<std::filesystem::path> derive_fig1(const std::vector<Row>& rows,
                                               const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> files;
    write_training_report(
        rows, "fig1", "Heads trained by gradient descent, and Algorithm 1", folder, files);
    Figure figure;
    figure.title = "Where training ends, by number of heads";
    figure.panel_width = 520;
    figure.legend = Legend::below;
    for (const std::int64_t d : training_sizes(rows)) {
        figure.panels.push_back(heads_panel(rows, d));
    }
    figure.columns = static_cast<Index>(figure.panels.size());
    files.push_back(folder / "figures" / "fig1_final.svg");
    write_figure(figure, files.back());
    return files;
}

}  // namespace attest

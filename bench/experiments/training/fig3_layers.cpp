#include "bench/experiments/training/fig3_layers.hpp"

#include "bench/experiments/training/training_cases.hpp"
#include "bench/experiments/training/training_report.hpp"

namespace attest {

namespace {

constexpr Index kTransformerSize = 4;  // the d of the tokens it is trained on

void add_layers(Experiment& experiment, const TrainingSetting& setting, bool quick) {
    experiment.cases.push_back(algorithm_1_case(setting, algorithm_1_sequences(setting).back()));
    const std::vector<double> rates =
        quick ? std::vector<double>{0.01} : std::vector<double>{0.01, 0.001};
    for (const Index layers : {1, 2, 4}) {
        for (const double rate : rates) {
            experiment.cases.push_back(
                training_case(setting, {"layers", layers, rate, 32, quick ? 1600 : 6400}));
        }
    }
}

}  // namespace

Experiment make_fig3(Profile profile, std::uint64_t seed) {
    const bool quick = profile == Profile::quick;
    const Index num_sequences = quick ? 256 : 2048;
    Experiment experiment{"fig3", profile, seed};
    const std::vector<Index> sizes = quick ? std::vector<Index>{2, 4} : std::vector<Index>{2, 4, 8};
    for (const Index d : sizes) {
        for (Index repetition = 0; repetition < 5; ++repetition) {
            add_layers(experiment, {d, num_sequences, seed, repetition}, quick);
        }
    }
    // A step of the transformer costs about a hundred of one layer, so it comes last, and in the
    // quick profile with fewer seeds.
    for (Index repetition = 0; repetition < (quick ? 3 : 5); ++repetition) {
        experiment.cases.push_back(
            training_case({kTransformerSize, num_sequences, seed, repetition},
                          {"transformer", 2, 0.001, 32, quick ? 300 : 6400, "float"}));
    }
    return experiment;
}

std::string fig3_text(const std::vector<Row>& rows) {
    return "Relative MSE on held-out sequences after the last update, over seeds\n" +
           to_terminal(training_table(rows));
}

std::vector<std::filesystem::path> derive_fig3(const std::vector<Row>& rows,
                                               const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> files;
    write_training_report(
        rows, "fig3", "Layers trained by gradient descent, and a transformer", folder, files);
    return files;
}

}  // namespace attest

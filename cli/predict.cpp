#include "core/features/predict.hpp"

#include "cli/commands.hpp"
#include "cli/data_options.hpp"
#include "cli/telling.hpp"
#include "core/data/model_file.hpp"
#include "core/data/opened_dataset.hpp"
#include "core/features/coefficients.hpp"
#include "core/questions/learn.hpp"
#include "core/questions/output.hpp"

#include <iostream>
#include <memory>
#include <utility>

namespace attest::cli {

namespace {

struct PredictOptions {
    std::string model;
    std::string data;
    std::string output;
    bool skip_invalid = false;
};

/// Throws InvalidInput unless the model reads such data.
void require_fit(const Model& model, const SequenceShape& data, const std::string& name) {
    require(model.d == data.d,
            "{}: tokens have {} entries, the model expects {}",
            name,
            data.d,
            model.d);
    const FeatureLayout wanted = model.layout();
    const FeatureLayout given = data.layout();
    require(wanted == given,
            "{}: examples have {} states and {} query features, the model's layer {} expects {} "
            "and {}",
            name,
            given.q(),
            given.m(),
            to_string(model.layer),
            wanted.q(),
            wanted.m());
    require(data.labels == LabelKind::none || data.o == model.o,
            "{}: labels have {} entries, the model has {} outputs",
            name,
            data.o,
            model.o);
}

/// The sequences with what the model says of them, as a data set of their own.
void write_outputs(const std::string& path, Dataset data, Matrix outputs) {
    data.y = std::move(outputs);
    data.labels =
        data.labels == LabelKind::per_prefix ? LabelKind::per_prefix : LabelKind::per_sequence;
    data.truth = {};
    data.meta = "";
    write_dataset(path, data);
}

int predict_labels(const PredictOptions& options, const CommonOptions& common) {
    const Model model = read_model(options.model);
    const OpenedDataset opened =
        open_data("predict",
                  options.data,
                  options.skip_invalid,
                  model.layer,
                  options.output.empty() ? ReadingAs::parts : ReadingAs::whole);
    const SequenceShape data = opened.sequences->shape();
    require_fit(model, data, options.data);
    Output output;
    output.add("layer", to_string(model.layer));
    output.add("num_examples", data.num_examples());
    if (!opened.skipped.empty()) {
        output.add_json("skipped", opened.skipped);
    }
    output.add("d", model.d);
    output.add("o", model.o);
    const Matrix P = coefficients(model, options.model);
    if (opened.whole == nullptr) {
        require(data.labels != LabelKind::none,
                "{}: is read in parts, for the risk alone, and has no labels; predict fewer "
                "sequences at a time",
                options.data);
        describe(output, told("predict", [&] { return empirical_risk(P, *opened.source); }));
    } else {
        Prediction found = told("predict", [&] { return predict_and_score(P, *opened.source); });
        if (found.risk) {
            describe(output, *found.risk);
        }
        if (!options.output.empty()) {
            write_outputs(options.output, std::move(*opened.whole), std::move(found.y));
            output.add("output", options.output);
        }
    }
    output.print(std::cout, common.json);
    return kHolds;
}

}  // namespace

Command add_predict(CLI::App& program, CommonOptions& common) {
    const auto options = std::make_shared<PredictOptions>();
    CLI::App* app = program.add_subcommand("predict", "Outputs of a model; with labels, its risk");
    app->add_option("model", options->model, "Model file (.npz): P, or V and Q")->required();
    app->add_option("data", options->data, "Data set: .npz, or a folder of them")->required();
    app->add_option(
        "-o,--output", options->output, "Write the sequences with the outputs as key y");
    app->add_flag(
        "--skip-invalid", options->skip_invalid, "Drop sequences that hold a NaN or infinity");
    add_common(*app, common);
    add_examples(*app, "  attest predict model.npz fresh.npz -o outputs.npz\n");
    return {app, [options, &common] { return predict_labels(*options, common); }};
}

}  // namespace attest::cli

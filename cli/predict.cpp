#include "core/features/predict.hpp"

#include "cli/commands.hpp"
#include "cli/model_coefficients.hpp"
#include "cli/report.hpp"
#include "cli/scaled_number.hpp"
#include "core/data/dataset_file.hpp"
#include "core/data/model_file.hpp"

#include <iostream>
#include <memory>

namespace attest::cli {

namespace {

struct PredictOptions {
    std::string model;
    std::string data;
    std::string output;
    bool skip_invalid = false;
};

int predict_labels(const PredictOptions& options, const CommonOptions& common) {
    const Model model = read_model(options.model);
    Dataset data = read_dataset(
        options.data, options.skip_invalid ? InvalidExamples::skip : InvalidExamples::reject);
    require(
        model.d == data.d(),
        concat(options.data, ": tokens have ", data.d(), " entries, the model expects ", model.d));
    require(data.labels == LabelKind::none || data.o() == model.o,
            concat(options.data,
                   ": labels have ",
                   data.o(),
                   " entries, the model has ",
                   model.o,
                   " outputs"));
    const Matrix P = model_coefficients(options.model, model);
    const DatasetSource source(data);
    const Matrix y = predict(P, source);
    Report report;
    report.add("num_examples", data.num_examples());
    report.add("d", model.d);
    report.add("o", model.o);
    if (data.labels != LabelKind::none) {
        const Risk risk = empirical_risk(P, source);
        report_risk(report, risk);
    }
    if (!options.output.empty()) {
        data.y = y;
        data.labels =
            data.labels == LabelKind::per_prefix ? LabelKind::per_prefix : LabelKind::per_sequence;
        data.truth = {};
        data.meta = "";
        write_dataset(options.output, data);
        report.add("output", options.output);
    }
    report.print(std::cout, common.json);
    return kHolds;
}

}  // namespace

Command add_predict(CLI::App& program, CommonOptions& common) {
    const auto options = std::make_shared<PredictOptions>();
    CLI::App* app = program.add_subcommand("predict", "Outputs of a model; with labels, its risk");
    app->add_option("model", options->model, "Model file (.npz): P, or V and Q")->required();
    app->add_option("data", options->data, "Data set (.npz)")->required();
    app->add_option(
        "-o,--output", options->output, "Write the sequences with the outputs as key y");
    app->add_flag(
        "--skip-invalid", options->skip_invalid, "Drop sequences that hold a NaN or infinity");
    add_common(*app, common);
    add_examples(*app, "  attest predict model.npz fresh.npz -o outputs.npz\n");
    return {app, [options, &common] { return predict_labels(*options, common); }};
}

}  // namespace attest::cli

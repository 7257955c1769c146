#include "cli/commands.hpp"
#include "cli/imported_layers.hpp"
#include "cli/option_values.hpp"
#include "cli/telling.hpp"
#include "core/base/files.hpp"
#include "core/base/text.hpp"
#include "core/data/dataset_file.hpp"
#include "core/questions/audit_layers.hpp"
#include "core/questions/output.hpp"
#include "core/solve/cost_model.hpp"
#include "record/provenance.hpp"
#include "report/model_page.hpp"

#include <iostream>
#include <memory>
#include <span>

namespace attest::cli {

namespace {

struct AuditModelOptions {
    ModelNames names;
    std::string held_out;
    LayerImportOptions layer;
    std::string page;
    double budget = 60.0;
};

std::vector<RecordedLayer> recorded_layers(const AuditModelOptions& options) {
    std::vector<RecordedLayer> layers;
    for (ImportedLayer& one :
         imported_layers(options.names.weights, options.layer.prefix, options.layer.request())) {
        const auto records =
            [&, &name = one.name, &layer = one.model.layer](const std::string& folder) {
                return read_dataset(records_of(folder, name), InvalidExamples::reject, layer);
            };
        Dataset own = records(options.names.records);
        std::optional<Dataset> held_out;
        if (!options.held_out.empty()) {
            held_out = records(options.held_out);
        }
        layers.push_back({one.name, std::move(one.model), std::move(own), std::move(held_out)});
    }
    return layers;
}

LayerAuditRequest audit_request(const AuditModelOptions& options, const CommonOptions& common) {
    LayerAuditRequest request;
    request.budget = options.budget;
    request.machine_speed = machine_speed();
    request.stream = Stream(common.seed).child("audit");
    request.again = shell_quoted(words_without(common.arguments, "--budget"));
    return request;
}

int audit_all(const AuditModelOptions& options, const CommonOptions& common) {
    // Opened first: a place that cannot be written is found before the audit is made.
    std::optional<AtomicFile> page;
    if (!options.page.empty()) {
        page.emplace(options.page);
    }
    const std::vector<RecordedLayer> layers = recorded_layers(options);
    const LayerAuditRequest request = audit_request(options, common);
    const std::vector<AuditedLayer> found =
        told("audit-model", [&] { return audit_layers(layers, request); });
    if (page) {
        const std::string text = model_page(found, options.names);
        page->append(std::as_bytes(std::span(text.data(), text.size())));
        page->commit();
    }
    if (common.json) {
        print_json(std::cout, model_json(found));
    } else {
        std::cout << model_table(found);
        if (page) {
            std::cout << "\npage  " << options.page << '\n';
        }
    }
    return exit_code(decision(found));
}

}  // namespace

Command add_audit_model(CLI::App& program, CommonOptions& common) {
    const auto options = std::make_shared<AuditModelOptions>();
    CLI::App* app = program.add_subcommand(
        "audit-model",
        "Every layer of a model on its own records, one page. Exit 0 all unique, 1 one is not");
    app->add_option("weights", options->names.weights, "Weights (.safetensors or .npz)")
        ->required();
    app->add_option("records",
                    options->names.records,
                    "Folder with a data set for each layer: LAYER.npz, named as its module")
        ->required();
    app->add_option("--as", options->layer.as, "Which implementation, as of attest import")
        ->required()
        ->check(CLI::IsMember(trained_layer_names()));
    app->add_option("--held-out", options->held_out, "Folder of records it has not seen");
    app->add_option("-o,--output", options->page, "Page to write (.html)");
    app->add_option("--budget",
                    options->budget,
                    "Seconds for all layers together, estimated before they start")
        ->check(number_from_zero())
        ->capture_default_str();
    app->add_option("--prefix", options->layer.prefix, "Only layers whose names begin so");
    add_layer_import_options(*app, options->layer);
    add_common(*app, common);
    add_examples(
        *app,
        "  attest audit-model lm.safetensors records --as linear --num-heads 4 -o lm.html\n"
        "  attest audit-model lm.npz records --as retention --rotary 0 --num-heads 4 \\\n"
        "    --prefix model. --held-out later --json\n");
    app->callback([app, options] { require_implementation_fits(*app, options->layer.as); });
    return {app, [options, &common] { return audit_all(*options, common); }};
}

}  // namespace attest::cli

#include "cli/commands.hpp"
#include "cli/imported_layers.hpp"
#include "cli/option_values.hpp"
#include "core/base/text.hpp"
#include "core/layers/other_layers.hpp"
#include "core/questions/learn.hpp"
#include "core/questions/output.hpp"
#include "core/trained/imported_layer.hpp"

#include <iostream>
#include <memory>

namespace attest::cli {

namespace {

struct ImportOptions {
    std::string file;
    std::string as;
    std::string prefix;
    std::string until = "projection";
    std::string model;
    ImportRequest request;
    double scale = 0.0;  ///< 0: not given
    Index rotary = -1;   ///< −1: not given
    bool all = false;
};

ImportRequest request_of(const ImportOptions& options) {
    ImportRequest request = options.request;
    request.as = trained_layer_named(options.as);
    request.output = options.until == "heads" ? ImportedOutput::heads : ImportedOutput::projected;
    if (options.scale > 0.0) {
        request.scale = options.scale;
    }
    if (options.rotary >= 0) {
        request.rotary = options.rotary;
    }
    return request;
}

/// Names of layers that no weights alone make, with the way to ask about them.
std::string way_of_others(const std::string& name) {
    const std::string way = way_to_ask(name);
    return way.empty() ? "" : formatted("got '{}', which no weights alone make: {}", name, way);
}

int import_layer(const ImportOptions& options, const CommonOptions& common) {
    if (options.all) {
        return import_all(
            options.file, options.prefix, request_of(options), options.model, common.json);
    }
    const Weights weights = read_weights(options.file, options.prefix);
    const Model model = imported_layer(weights, request_of(options));
    write_model(options.model, model);
    Output output;
    output.add("layer", to_string(model.layer));
    output.add("d", model.d);
    output.add("o", model.o);
    output.add("heads", num_heads(model));
    output.add("psi", model.layout().psi());
    output.add("model", options.model);
    if (trained_layer_named(options.as) == TrainedLayer::torch_mha) {
        output.add("note",
                   "the softmax is left out: this is the layer only where it runs without; attest "
                   "distil is for the layer itself");
    }
    output.print(std::cout, common.json);
    return kHolds;
}

}  // namespace

Command add_import(CLI::App& program, CommonOptions& common) {
    const auto options = std::make_shared<ImportOptions>();
    ImportRequest& request = options->request;
    CLI::App* app =
        program.add_subcommand("import", "The weights of a trained layer as a model of the family");
    app->add_option("weights", options->file, "Weights (.safetensors or .npz)")->required();
    app->add_option("--as", options->as, "Which implementation: one of the names below")
        ->required()
        ->check(way_of_others)
        ->check(CLI::IsMember(trained_layer_names()));
    app->add_option("-o,--output", options->model, "Model to write (.npz); with --all a folder")
        ->required();
    app->add_flag("--all", options->all, "Every layer of the file, each to FOLDER/LAYER.npz");
    app->add_option(
        "--prefix", options->prefix, "Names of the layer's weights begin so: model.layers.0.attn.");
    app->add_option("--num-heads", request.heads, "Heads of the layer")
        ->check(integer_within(1, 4096))
        ->capture_default_str();
    app->add_option(
           "--key-heads", request.key_heads, "Heads with keys and values of their own; else all")
        ->check(integer_within(1, 4096));
    app->add_option(
           "--scale", options->scale, "Factor of query-key products; else 1/sqrt(key size)")
        ->check(number_from_zero());
    app->add_option("--until",
                    options->until,
                    "projection, or heads: what enters the norm or gate behind the heads")
        ->check(CLI::IsMember({"projection", "heads"}))
        ->capture_default_str();
    app->add_option("--head", request.head, "This head alone, from 0")
        ->check(integer_within(0, 4095));
    app->add_option("--rotary",
                    options->rotary,
                    "retention: the longest sequence, for which rotations are tabulated; 0: none")
        ->check(integer_within(0, 100000));
    app->add_option("--rotary-base", request.rotary_base, "Base of the rotations' frequencies")
        ->check(number_within(1.0, 1e12))
        ->capture_default_str();
    app->add_option("--layer-index", request.layer_index, "lightning: which layer, from 0")
        ->check(integer_within(0, 100000))
        ->capture_default_str();
    app->add_option("--num-layers", request.num_layers, "lightning: of how many")
        ->check(integer_within(1, 100000))
        ->capture_default_str();
    add_common(*app, common);
    add_names(*app,
              "Implementations",
              {{"linear", "q_proj, k_proj, v_proj, o_proj; identity feature map, no normaliser"},
               {"retention", "the same with decays 1 - 2^(-5-h) and rotary positions"},
               {"lightning", "the same with decays exp(-8/H (1 - l/L) h)"},
               {"simple-gla", "one head with recorded gates: --layer gates"},
               {"torch-mha", "PyTorch's MultiheadAttention, the softmax left out"}});
    add_examples(*app,
                 "  attest import layer.safetensors --as linear --num-heads 4 -o model.npz\n"
                 "  attest import lm.safetensors --all --as linear --num-heads 4 -o models\n"
                 "  attest import weights.npz --as torch-mha --num-heads 8 -o model.npz\n"
                 "  attest import lm.safetensors --prefix model.layers.0.attn. --as retention \\\n"
                 "    --num-heads 4 --rotary 0 --until heads -o model.npz\n");
    return {app, [options, &common] { return import_layer(*options, common); }};
}

}  // namespace attest::cli

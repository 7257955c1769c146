#include "cli/commands.hpp"
#include "cli/imported_layers.hpp"
#include "cli/option_values.hpp"
#include "core/base/text.hpp"
#include "core/layers/other_layers.hpp"
#include "core/questions/learn.hpp"
#include "core/questions/output.hpp"
#include "core/stack/imported_stack.hpp"
#include "core/trained/imported_layer.hpp"

#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace attest::cli {

namespace {

struct ImportOptions {
    std::string file;
    std::string model;
    LayerImportOptions layer;
    bool all = false;
    StackImportRequest stack;
    std::string score;  ///< empty: not given
    std::string rotary_pairs = "none";
    std::string norm = "none";
    std::string mlp = "none";
    std::string readout = "all";
};

constexpr std::string_view kStack = "stack";

/// Names of layers that no weights alone make, with the way to ask about them.
std::string way_of_others(const std::string& name) {
    const std::string way = way_to_ask(name);
    return way.empty() ? "" : formatted("got '{}', which no weights alone make: {}", name, way);
}

StackImportRequest stack_request_of(const ImportOptions& options) {
    if (options.score.empty()) {
        throw UnknownName(
            "import: --score: got nothing, expected linear or softmax: the weights do not tell");
    }
    StackImportRequest request = options.stack;
    request.heads = options.layer.rest.heads;
    request.rotary_base = options.layer.rest.rotary_base;
    if (options.layer.scale > 0.0) {
        request.scale = options.layer.scale;
    }
    request.score = choice_named("--score", options.score, kStackScores);
    request.rotary = choice_named("--rotary-pairs", options.rotary_pairs, kRotaryPairs);
    request.norm = choice_named("--norm", options.norm, kStackNorms);
    request.activation = choice_named("--mlp", options.mlp, kActivations);
    request.readout = choice_named("--readout", options.readout, kReadouts);
    return request;
}

int import_stack(const ImportOptions& options, const CommonOptions& common) {
    const StackImportRequest request = stack_request_of(options);
    const ImportedStack found = imported_stack(
        read_weights(options.file, options.layer.prefix, NonFinite::refused, request.left_out),
        request);
    write_stack(options.model, found.stack);
    Output output;
    output.add("architecture", in_words(found.stack.shape));
    output.add("d", found.stack.shape.d);
    output.add("num_layers", static_cast<Index>(found.stack.shape.layers.size()));
    output.add("parameters", static_cast<Index>(found.stack.parameters.size()));
    output.add(
        "left_out", found.left_out, found.left_out.empty() ? "nothing" : some_of(found.left_out));
    output.add("model", options.model);
    output.add("note",
               "heads, scores, residual connections, mask, norms and activation are as you said: "
               "compare outputs (docs/your-layer.md, section 8)");
    output.print(std::cout, common.json);
    return kHolds;
}

int import_layer(const ImportOptions& options, const CommonOptions& common) {
    if (options.all) {
        return import_all(
            options.file, options.layer.prefix, options.layer.request(), options.model, common);
    }
    if (options.layer.as == kStack) {
        return import_stack(options, common);
    }
    const Weights weights = read_weights(options.file, options.layer.prefix);
    const Model model = imported_layer(weights, options.layer.request());
    write_model(options.model, model);
    Output output;
    output.add("layer", to_string(model.layer));
    output.add("d", model.d);
    output.add("o", model.o);
    output.add("heads", num_heads(model));
    output.add("psi", model.layout().psi());
    output.add("model", options.model);
    if (trained_layer_named(options.layer.as) == TrainedLayer::torch_mha) {
        output.add("note",
                   "the softmax is left out: this is the layer only where it runs without; attest "
                   "distil is for the layer itself");
    }
    output.print(std::cout, common.json);
    return kHolds;
}

std::vector<std::string> names_of_implementations() {
    std::vector<std::string> names = trained_layer_names();
    names.emplace_back(kStack);
    return names;
}

/// Refuses what the other kind of import asks, and what other implementations do.
void require_import_fits(const CLI::App& app, std::string_view as) {
    if (as == kStack) {
        refuse_options(app,
                       {"--all",
                        "--key-heads",
                        "--until",
                        "--head",
                        "--rotary",
                        "--layer-index",
                        "--num-layers"},
                       "belongs to the import of a single layer");
    } else {
        refuse_options(app,
                       {"--pattern",
                        "--score",
                        "--residual",
                        "--causal",
                        "--rotary-pairs",
                        "--norm",
                        "--epsilon",
                        "--mlp",
                        "--readout",
                        "--leave-out"},
                       "belongs to the import of a stack: --as stack");
    }
    require_implementation_fits(app, as);
}

void add_stack_options(CLI::App& app, ImportOptions& options) {
    StackImportRequest& request = options.stack;
    const auto choice = [&](const char* name,
                            std::string& value,
                            const char* what,
                            const std::vector<std::string>& names) {
        return app.add_option(name, value, what)->check(CLI::IsMember(names));
    };
    app.add_option("--pattern",
                   request.pattern,
                   "stack: where a layer's number stands, model.layers.{}; else it is found");
    choice("--score", options.score, "stack: what makes weights of scores", names_of(kStackScores));
    app.add_flag("--residual", request.residual, "stack: x + f(x) in each layer and MLP");
    app.add_flag("--causal", request.causal, "stack: a token sees itself and those before it");
    choice("--rotary-pairs",
           options.rotary_pairs,
           "stack: which entries of a key turn together, by --rotary-base or inv_freq",
           names_of(kRotaryPairs))
        ->capture_default_str();
    choice(
        "--norm", options.norm, "stack: RMS norm before attention and MLP", names_of(kStackNorms))
        ->capture_default_str();
    app.add_option("--epsilon", request.epsilon, "stack: of the norms")
        ->check(number_from_zero())
        ->capture_default_str();
    choice("--mlp", options.mlp, "stack: the activation of its MLPs", names_of(kActivations))
        ->capture_default_str();
    choice("--readout", options.readout, "stack: which tokens are outputs", names_of(kReadouts))
        ->capture_default_str();
    app.add_option("--leave-out",
                   request.left_out,
                   "stack: names that begin so are not read, as embeddings")
        ->allow_extra_args(false);
}

}  // namespace

Command add_import(CLI::App& program, CommonOptions& common) {
    const auto options = std::make_shared<ImportOptions>();
    ImportRequest& request = options->layer.rest;
    CLI::App* app =
        program.add_subcommand("import",
                               "The weights of a trained layer as a model of the family, or of "
                               "several as a stack");
    app->add_option("weights", options->file, "Weights (.safetensors or .npz)")->required();
    app->add_option("--as", options->layer.as, "Which implementation: one of the names below")
        ->required()
        ->check(way_of_others)
        ->check(CLI::IsMember(names_of_implementations()));
    app->add_option(
           "-o,--output", options->model, "Model or stack to write (.npz); with --all a folder")
        ->required();
    app->add_flag("--all", options->all, "Every layer of the file, each to FOLDER/LAYER.npz");
    app->add_option("--prefix",
                    options->layer.prefix,
                    "Names of the weights begin so: model.layers.0.attn. of a layer");
    add_layer_import_options(*app, options->layer);
    app->add_option("--head", request.head, "This head alone, from 0")
        ->check(integer_within(0, 4095));
    app->add_option("--layer-index", request.layer_index, "lightning: which layer, from 0")
        ->check(integer_within(0, 100000))
        ->capture_default_str();
    app->add_option("--num-layers",
                    request.num_layers,
                    "lightning: of how many; has to be said, but with --all")
        ->check(integer_within(1, 100000));
    add_stack_options(*app, *options);
    add_common(*app, common);
    add_names(*app,
              "Implementations",
              {{"stack", "several layers, by their numbers: attention, norms and MLPs"},
               {"linear", "q_proj, k_proj, v_proj, o_proj; identity feature map, no normaliser"},
               {"retention", "the same with decays 1 - 2^(-5-h) and rotary positions"},
               {"lightning", "the same with decays exp(-8/H (1 - l/L) h)"},
               {"simple-gla", "one head with recorded gates: --layer gates"},
               {"torch-mha", "PyTorch's MultiheadAttention, the softmax left out"}});
    add_examples(
        *app,
        "  attest import layer.safetensors --as linear --num-heads 4 -o model.npz\n"
        "  attest import lm.safetensors --all --as linear --num-heads 4 -o models\n"
        "  attest import weights.npz --as torch-mha --num-heads 8 -o model.npz\n"
        "  attest import lm.safetensors --prefix model.layers.0.attn. --as retention \\\n"
        "    --num-heads 4 --rotary 0 --until heads -o model.npz\n"
        "  attest import lm.safetensors --as stack --pattern model.layers.{} --num-heads 4 "
        "\\\n"
        "    --score softmax --causal --residual --norm rms --epsilon 1e-6 --mlp gelu \\\n"
        "    --leave-out model.embed --leave-out lm_head -o stack.npz\n");
    app->callback([app, options] { require_import_fits(*app, options->layer.as); });
    return {app, [options, &common] { return import_layer(*options, common); }};
}

}  // namespace attest::cli

#include "core/questions/dimension.hpp"

#include "cli/commands.hpp"
#include "cli/option_values.hpp"
#include "cli/telling.hpp"
#include "core/questions/proof_file.hpp"
#include "core/solve/cost_model.hpp"
#include "core/stack/stack_file.hpp"
#include "core/stack/uniform_stack.hpp"

#include <iostream>
#include <memory>
#include <string>
#include <vector>

namespace attest::cli {

namespace {

constexpr Index kLargestSize = 4096;

struct DimensionOptions {
    std::string stack;  ///< a file; empty: the sizes below
    UniformStack sizes;
    std::string score = "linear";
    std::string decay = "none";
    std::string biases;
    std::string norm = "none";
    std::string final_norm = "none";
    std::string mlp = "none";
    std::string readout = "all";
    Index tokens = 3;
    bool numerical = false;
    std::string proof;
};

StackShape shape_of(const DimensionOptions& options) {
    if (!options.stack.empty()) {
        return read_stack(options.stack).shape;
    }
    UniformStack sizes = options.sizes;
    sizes.layer.score = choice_named("--score", options.score, kStackScores);
    sizes.layer.decay = choice_named("--decay", options.decay, kStackDecays);
    sizes.layer.norm = choice_named("--norm", options.norm, kStackNorms);
    sizes.layer.activation = choice_named("--mlp", options.mlp, kActivations);
    sizes.layer = with_biases(sizes.layer, options.biases, "--biases");
    sizes.readout = choice_named("--readout", options.readout, kReadouts);
    sizes.final_norm = choice_named("--final-norm", options.final_norm, kStackNorms);
    return shape_of(sizes);
}

int find_dimension(const DimensionOptions& options, const CommonOptions& common) {
    const StackShape shape = shape_of(options);
    const DimensionRequest request{shape, options.tokens, common.seed, options.numerical};
    tell_beforehand("dimension", dimension_seconds(request) / machine_speed());
    const StackDimension found = told("dimension", [&] { return dimension(request); });
    Output output = describe(shape, found);
    if (!options.proof.empty()) {
        const std::optional<std::string> proof = dimension_proof(shape, found);
        write_proof(options.proof, proof);
        describe_proof(
            output, options.proof, proof, "a proof is written where it is proved, but by relu");
    }
    output.print(std::cout, common.json);
    return exit_code(decision(found));
}

void add_sizes(CLI::App& app, DimensionOptions& options) {
    const auto size = [&](const char* name, Index& value, const char* what) {
        return app.add_option(name, value, what)->check(integer_within(1, kLargestSize));
    };
    size("--d", options.sizes.d, "Numbers of a token");
    size("--layers", options.sizes.layers, "How many layers")->capture_default_str();
    size("--heads", options.sizes.layer.heads, "Heads of a layer")->capture_default_str();
    size("--head-size",
         options.sizes.key_size,
         "Entries of a key and a query; d/heads unless given");
    size("--value-size", options.sizes.value_size, "Entries of a value; as a key unless given");
    size("--groups", options.sizes.groups, "Groups of heads that share keys and values");
    size("--width", options.sizes.width, "Neurons of the MLP; 4d unless given");
}

void add_architecture(CLI::App& app, DimensionOptions& options) {
    const auto choice = [&](const char* name,
                            std::string& value,
                            const char* what,
                            const std::vector<std::string>& names) {
        return app.add_option(name, value, what)
            ->check(CLI::IsMember(names))
            ->capture_default_str();
    };
    CLI::Option* score =
        choice("--score", options.score, "What makes weights of scores", names_of(kStackScores));
    app.add_flag(
           "--softmax",
           [&options](std::int64_t) { options.score = "softmax"; },
           "The same as --score softmax")
        ->excludes(score);
    app.add_flag("--residual", options.sizes.layer.residual, "x + f(x) in each layer and MLP");
    app.add_flag("--causal", options.sizes.layer.causal, "A token sees itself and those before it");
    app.add_flag("--rotary", options.sizes.layer.rotary, "Keys and queries turned by their place");
    choice("--decay", options.decay, "Factors of the distance", names_of(kStackDecays));
    app.add_option(
        "--biases", options.biases, "Which biases there are: letters of qkvo, and m for the MLP's");
    choice("--norm",
           options.norm,
           "RMS norm before attention and MLP, with or without a gain",
           names_of(kStackNorms));
    choice("--final-norm", options.final_norm, "And behind the last layer", names_of(kStackNorms));
    app.add_option("--epsilon", options.sizes.layer.epsilon, "Of the norms")
        ->check(number_from_zero())
        ->capture_default_str();
    choice("--mlp", options.mlp, "An MLP in each layer, by its activation", names_of(kActivations));
    choice("--readout", options.readout, "Which tokens are outputs", names_of(kReadouts));
}

/// What is added so far, but for the file and --help.
std::vector<CLI::Option*> architecture_options(CLI::App& app) {
    return app.get_options([](const CLI::Option* option) {
        return option->get_name() != "stack" && option->get_name() != "--help";
    });
}

}  // namespace

Command add_dimension(CLI::App& program, CommonOptions& common) {
    const auto options = std::make_shared<DimensionOptions>();
    CLI::App* app = program.add_subcommand(
        "dimension", "How many parameters of a stack of layers are real? Exit 0 proved, 3 not");
    app->add_option("stack", options->stack, "A stack's file (.npz)");
    add_sizes(*app, *options);
    add_architecture(*app, *options);
    const std::vector<CLI::Option*> of_sizes = architecture_options(*app);
    app->add_option("--tokens", options->tokens, "Tokens of an example")
        ->check(integer_within(1, 1024))
        ->capture_default_str();
    app->add_flag("--numerical", options->numerical, "In doubles, to see what they see");
    app->add_option(
        "--proof", options->proof, "Write a proof for attest-check to this file (.cert)");
    app->callback([options, of_sizes] {
        if (options->stack.empty() && options->sizes.d == 0) {
            throw CLI::ValidationError("expected a stack's file or --d");
        }
        for (const CLI::Option* each : of_sizes) {
            if (!options->stack.empty() && each->count() > 0) {
                throw CLI::ValidationError(each->get_name() +
                                           ": the file says what the stack is made of");
            }
        }
    });
    add_common(*app, common);
    add_examples(*app,
                 "  attest dimension --d 8 --layers 2 --heads 4\n"
                 "  attest dimension --d 8 --layers 2 --heads 2 --softmax --residual\n"
                 "  attest dimension --d 3 --layers 2 --head-size 2 --value-size 3 --proof p.cert\n"
                 "  attest dimension --d 4 --heads 2 --softmax --residual --norm rms --mlp gelu "
                 "--width 8 --biases m\n"
                 "  attest dimension stack.npz --json\n");
    return {app, [options, &common] { return find_dimension(*options, common); }};
}

}  // namespace attest::cli

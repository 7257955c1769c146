#include "core/questions/learn.hpp"

#include "cli/commands.hpp"
#include "cli/data_options.hpp"
#include "cli/head_reduction.hpp"
#include "cli/option_values.hpp"
#include "cli/telling.hpp"
#include "core/base/interrupt.hpp"
#include "core/base/text.hpp"
#include "core/data/model_file.hpp"
#include "core/data/opened_dataset.hpp"
#include "core/layers/parse_layer.hpp"
#include "core/questions/normalised_head.hpp"
#include "core/questions/output.hpp"
#include "core/questions/read_kernel.hpp"
#include "core/solve/solvers.hpp"

#include <iostream>
#include <memory>

namespace attest::cli {

namespace {

struct LearnOptions {
    std::string data;
    std::string layer = "linear";
    std::string output;
    std::string solver = "auto";
    std::string norm = "sym";
    double ridge = 0.0;
    std::string heads = "svd";
    HeadRequest request;
    bool skip_invalid = false;
    bool read_kernel = false;
    bool normalised = false;
};

/// Wrong names are refused here: reading the data may take a while.
LearnRequest request_of(const LearnOptions& options, const CommonOptions& common) {
    const SolveOptions solve{options.ridge, norm_from_string(options.norm), common.threads};
    HeadRequest heads = head_request(options.heads);
    heads.budget = options.request.budget;
    heads.starts = options.request.starts;
    if (options.solver != "auto") {
        (void)solver_named(options.solver);
    }
    return {options.solver, solve, heads, common.seed};
}

/// One head of normalised attention instead of Algorithm 1.
int learn_normalised(const LearnOptions& options,
                     const CommonOptions& common,
                     const Dataset& data) {
    const NormalisedHead found = told("learn", [&] { return fit_normalised_head(data); });
    Output output = describe(found, data);
    if (!options.output.empty()) {
        write_normalised_head(options.output, found);
        output.add("model", options.output, options.output + " (keys normalised_V, normalised_Q)");
    }
    output.print(std::cout, common.json);
    return kHolds;
}

int learn_file(const LearnOptions& options, const CommonOptions& common) {
    const LearnRequest request = request_of(options, common);
    const Layer layer = layer_named(options.layer);
    const bool all = options.normalised || options.read_kernel;  // look at all tokens at once
    const OpenedDataset opened = open_data("learn",
                                           options.data,
                                           options.skip_invalid,
                                           layer,
                                           all ? ReadingAs::whole : reading_for(request));
    const SequenceShape data = opened.sequences->shape();
    require(data.labels != LabelKind::none,
            "{}: no labels (key y or y_prefix); learning needs them",
            options.data);
    if (options.normalised) {
        return learn_normalised(options, common, *opened.whole);
    }
    const FactoredSource factored(*opened.source);
    const double seconds = solve_seconds(opened.source->shape(), request);
    tell_beforehand("learn", seconds, formatted("about {}", format_seconds(seconds)));
    Learned found = learn(factored, request, HeadTeller("learn").observer());
    if (!options.output.empty()) {
        found.model.meta = learned_meta(found, opened.sequences->digest());
        write_model(options.output, found.model);
    }
    Output output = describe(found, options.output);
    if (options.read_kernel) {
        describe(output, told("learn", [&] { return read_kernel(factored, found.fit); }));
    }
    output.print(std::cout, common.json);
    if (found.reduction) {
        throw_if_interrupted("the best heads so far were kept");
    }
    return kHolds;
}

}  // namespace

Command add_learn(CLI::App& program, CommonOptions& common) {
    const auto options = std::make_shared<LearnOptions>();
    CLI::App* app = program.add_subcommand(
        "learn", "Learn linear attention from sequences (Algorithm 1): least squares, then heads");
    app->add_option("data", options->data, "Data set with labels: .npz, or a folder of them")
        ->required();
    app->add_option("-o,--output", options->output, "Model file to write (.npz)");
    add_layer_option(*app, options->layer);
    app->add_flag("--read-kernel",
                  options->read_kernel,
                  "With --layer lags=L: the kernel and the decays behind the labels");
    app->add_flag("--normalised",
                  options->normalised,
                  "One head of normalised attention instead: V and Q up to scale, or a refusal");
    app->add_option("--solver", options->solver, "auto, or one of the solvers below")
        ->capture_default_str();
    app->add_option("--ridge", options->ridge, "Ridge penalty R: adds R times the squared norm")
        ->check(number_from_zero())
        ->capture_default_str();
    app->add_option("--norm", options->norm, "Norm of ridge and minimum norm: sym or packed")
        ->capture_default_str();
    app->add_option(
           "--heads",
           options->heads,
           "svd (Algorithm 1), min (fewest of the same function), elbow (as many as noise\n"
           "lets one tell apart) or a number: the best on the data")
        ->capture_default_str();
    add_head_options(*app, options->request);
    app->add_flag(
        "--skip-invalid", options->skip_invalid, "Drop sequences that hold a NaN or infinity");
    app->callback([app, options] {
        if (options->normalised) {
            refuse_options(*app,
                           {"--layer", "--read-kernel", "--solver", "--ridge", "--norm", "--heads"},
                           kOneWay);
        }
    });
    add_common(*app, common);
    std::vector<std::pair<std::string, std::string>> names;
    for (const Solver& solver : solvers()) {
        names.emplace_back(solver.name, solver.summary);
    }
    const Solver& grouped = solver_named("grouped");  // of few query tokens only: not among these
    names.emplace_back(grouped.name, grouped.summary);
    add_names(*app, "Solvers", names);
    add_examples(*app,
                 "  attest learn data.npz -o model.npz\n"
                 "  attest learn data.npz --heads min -o model.npz\n"
                 "  attest learn data.npz --layer \"decay=1,31/32\" -o model.npz\n"
                 "  attest learn data.npz --layer lags=8 --read-kernel\n"
                 "  attest learn data.npz --solver svd --json\n");
    return {app, [options, &common] { return learn_file(*options, common); }};
}

}  // namespace attest::cli

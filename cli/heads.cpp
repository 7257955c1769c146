#include "cli/commands.hpp"
#include "cli/data_options.hpp"
#include "cli/head_reduction.hpp"
#include "cli/option_values.hpp"
#include "cli/telling.hpp"
#include "core/base/interrupt.hpp"
#include "core/base/text.hpp"
#include "core/base/timer.hpp"
#include "core/data/dataset_file.hpp"
#include "core/data/model_file.hpp"
#include "core/features/coefficients.hpp"
#include "core/heads/scaled_coefficients.hpp"
#include "core/questions/heads_by_kernel.hpp"
#include "core/questions/output.hpp"
#include "core/questions/reduce_heads.hpp"

#include <iostream>
#include <memory>
#include <utility>

namespace attest::cli {

namespace {

struct HeadsOptions {
    std::string model;
    std::string data;
    std::string output;
    HeadRequest request{HeadChoice::fewest};
    bool fewest = false;
    bool elbow = false;
    bool skip_invalid = false;
};

FitTarget target_of(const HeadsOptions& options, const Model& model, const Matrix& P) {
    if (options.data.empty()) {
        return frobenius_target(P, model.d);
    }
    const Dataset data = load_data("heads", options.data, options.skip_invalid);
    require(model.d == data.d(),
            "{}: tokens have {} entries, the model expects {}",
            options.data,
            data.d(),
            model.d);
    const DatasetSource source(data);
    return told("heads", [&] { return head_target(P, FactoredSource(source), {}); });
}

/// Heads of a layer with kernels: those of one kernel merge.
int heads_of_kernels(const HeadsOptions& options, const Model& model, const CommonOptions& common) {
    const Timer timer;
    const std::string refused = why_not_by_kernel(model.layer);
    require(refused.empty(),
            "{}: the heads of its layer, {}, are not reduced: {}",
            options.model,
            to_string(model.layer),
            refused);
    require(options.data.empty() && options.request.choice == HeadChoice::fewest,
            "{}: its layer is {}, whose heads are reduced kernel by kernel to the same function; "
            "leave out --data, --to and --elbow",
            options.model,
            to_string(model.layer));
    Output output;
    output.add("layer", to_string(model.layer));
    output.add("d", model.d);
    output.add("o", model.o);
    output.add("heads_before", std::ssize(model.layer_heads.heads));
    const KernelReduction found = reduce_heads_by_kernel(
        model, options.request, Stream(common.seed).child("heads"), HeadTeller("heads").observer());
    describe(output, found);
    Model fewer = model;
    fewer.layer_heads = found.heads;
    fewer.P = coefficients(model.layer, model.input, model.o, found.heads);
    write_model(options.output, fewer);
    const double seconds = timer.seconds();
    output.add("seconds", number_or_null(seconds), format_seconds(seconds));
    output.add("model", options.output);
    output.print(std::cout, common.json);
    throw_if_interrupted(formatted("the best heads so far are in {}", options.output));
    return kHolds;
}

int heads(const HeadsOptions& options, const CommonOptions& common) {
    const Timer timer;
    const Model model = read_model(options.model);
    if (!model.layer.is_linear()) {
        return heads_of_kernels(options, model, common);
    }
    const auto [P, exponent] = scaled_coefficients(coefficients(model, options.model));
    const FitTarget target = target_of(options, model, P);
    Output output;
    output.add("d", model.d);
    output.add("o", model.o);
    output.add("psi", feature_dim(model.d));
    output.add("heads_before", model.heads.num_heads());
    HeadReduction found = reduce_heads(target,
                                       options.request,
                                       Stream(common.seed).child("heads"),
                                       HeadTeller("heads").observer());
    found.heads = times_power(std::move(found.heads), exponent);
    describe(output, found);
    write_model(options.output,
                {model.d,
                 model.o,
                 coefficients(found.heads),
                 found.heads,
                 reduced_meta(model.meta, options.request.choice, found)});
    const double seconds = timer.seconds();
    output.add("seconds", number_or_null(seconds), format_seconds(seconds));
    output.add("model", options.output);
    output.print(std::cout, common.json);
    throw_if_interrupted(formatted("the best heads so far are in {}", options.output));
    return kHolds;
}

}  // namespace

Command add_heads(CLI::App& program, CommonOptions& common) {
    const auto options = std::make_shared<HeadsOptions>();
    CLI::App* app = program.add_subcommand(
        "heads", "Fewer heads for a model: the same function, or the best approximation");
    app->add_option("model", options->model, "Model file (.npz): P, or V and Q")->required();
    app->add_option("-o,--output", options->output, "Model file to write (.npz)")->required();
    CLI::Option* fewest =
        app->add_flag("--min", options->fewest, "The fewest heads of the same function (default)");
    app->add_option("--to", options->request.count, "The best approximation with K heads")
        ->check(integer_within(1, 1000000))
        ->excludes(fewest);
    CLI::Option* data =
        app->add_option("--data",
                        options->data,
                        "Data set (.npz): errors are measured on it instead of on the "
                        "coefficients");
    app->add_flag(
           "--elbow", options->elbow, "As many heads as the labels' noise lets one tell apart")
        ->needs(data)
        ->excludes(fewest)
        ->excludes("--to");
    app->add_flag(
        "--skip-invalid", options->skip_invalid, "Drop sequences that hold a NaN or infinity");
    add_head_options(*app, options->request);
    app->callback([options] {
        options->request.choice = options->elbow               ? HeadChoice::elbow
                                  : options->request.count > 0 ? HeadChoice::count
                                                               : HeadChoice::fewest;
    });
    add_common(*app, common);
    add_examples(*app,
                 "  attest heads model.npz -o small.npz\n"
                 "  attest heads model.npz --elbow --data data.npz -o plausible.npz\n"
                 "  attest heads model.npz --to 3 --data data.npz -o approximate.npz\n"
                 "  attest heads model.npz --min --budget 600 --starts 200 --json -o small.npz\n");
    return {app, [options, &common] { return heads(*options, common); }};
}

}  // namespace attest::cli

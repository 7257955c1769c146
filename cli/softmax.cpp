#include "cli/commands.hpp"
#include "cli/option_values.hpp"
#include "cli/telling.hpp"
#include "core/base/json_text.hpp"
#include "core/base/text.hpp"
#include "core/questions/output.hpp"
#include "core/softmax/diagnostics.hpp"
#include "core/softmax/examples.hpp"
#include "core/softmax/learned_layer.hpp"
#include "core/softmax/value_sum.hpp"
#include "core/solve/cost_model.hpp"
#include "tasks/registry.hpp"
#include "tasks/softmax_attention.hpp"

#include <algorithm>
#include <iostream>
#include <map>
#include <memory>
#include <utility>

namespace attest::cli {

namespace {

constexpr const char* kTask = "softmax-attention";

struct SoftmaxGenerate {
    Index count = 40000;
    std::string output;
    std::map<std::string, std::string> parameters;
};

struct SoftmaxLearn {
    std::string data;
    std::string output;
    SoftmaxRequest request;
};

/// The three subcommands' options, and which of them runs.
struct SoftmaxCommand {
    SoftmaxGenerate generate;
    SoftmaxLearn learn;
    std::string diagnosed;
    std::function<int()> run;
};

int generate(const SoftmaxGenerate& options, const CommonOptions& common) {
    const std::unique_ptr<Task> task = make_task(kTask, options.parameters, common.seed);
    // The task itself for its heads: noise wraps it.
    const ParameterReader reader(kTask, task_named(kTask).parameters, options.parameters);
    const SoftmaxAttention plain(softmax_attention_options(reader),
                                 Stream(common.seed).child(kTask));
    tell_drawing("softmax generate", drawing_seconds(*task, 0, options.count, common.threads));
    Dataset data = told("softmax generate",
                        [&] { return materialise(*task, 0, options.count, common.threads); });
    const Index d = data.d();
    const Index k = data.length(0);
    const Matrix labels = data.y.reshaped(d, options.count * k);
    write_softmax_data(options.output,
                       {{k, std::move(data.tokens.own()), labels}, plain.heads(), data.meta});
    Output output;
    output.add("task", kTask);
    output.add("num_examples", options.count);
    output.add("d", d);
    output.add("k", k);
    output.add("heads", plain.heads().size());
    output.add("output", options.output);
    output.print(std::cout, common.json);
    return kHolds;
}

void add_value(Output& output, const std::string& key, double value) {
    output.add(key, number_or_null(value), brief(value));
}

void add_non_degeneracy(Output& output, const NonDegeneracy& found) {
    add_value(output, "largest_cosine", found.largest_cosine);
    add_value(output, "theta_sigma", found.theta_sigma);
    add_value(output, "theta_distance", found.theta_distance);
    add_value(output, "proxy_norm", found.proxy_norm);
    add_value(output, "proxy_weight", found.proxy_weight);
    add_value(output, "effective_rank", found.effective_rank);
    add_value(output, "sum_sigma", found.sum_sigma);
    add_value(output, "value_sigma", found.value_sigma);
    output.add("rows_injective", found.rows_injective, found.rows_injective ? "yes" : "no");
}

int diagnose(const std::string& path, const CommonOptions& common) {
    const SoftmaxData data = read_softmax_data(path);
    const SoftmaxSource source = source_of(data.examples);
    Output output;
    output.add("num_examples", source.count);
    output.add("d", source.d);
    output.add("k", source.k);
    const Matrix W = crude_sum(source, preferred_estimator(source.k));
    output.add("estimator", to_string(preferred_estimator(source.k)));
    add_value(output, "crude_sum_size", W.norm() / label_scale(source));
    add_value(output, "crude_sum_sigma", scaled_least_sigma(W));
    if (data.truth) {
        output.add("heads", data.truth->size());
        add_value(output, "crude_sum_error", sum_error(W, *data.truth));
        add_value(output, "largest_norm", largest_theta(*data.truth));
        add_non_degeneracy(output, non_degeneracy(*data.truth, source.k));
        const std::vector<double> epsilons{0.1, 0.05, 0.02, 0.01};
        const Rarity rarity = agreement(*data.truth, source, epsilons);
        nlohmann::ordered_json counts = nlohmann::ordered_json::object();
        std::string text;
        for (std::size_t e = 0; e < epsilons.size(); ++e) {
            counts[round_trip(epsilons[e])] = rarity.agreeing[e];
            text +=
                formatted("{}{} within {}", e == 0 ? "" : ", ", rarity.agreeing[e], epsilons[e]);
        }
        output.add("rows", rarity.rows);
        output.add("agreeing_rows", counts, text);
        output.add("sparse_rows", rarity.sparse);
        add_value(output, "rarity_slope", rarity_slope(rarity, epsilons));
    } else {
        output.say(
            "The file names no heads (truth_Theta, truth_W): only the labels are described.");
    }
    output.print(std::cout, common.json);
    return kHolds;
}

void warn(const SoftmaxResult& result) {
    for (const SoftmaxNotice notice : result.notices) {
        std::cerr << "attest softmax learn: " << to_string(notice) << ": " << explanation(notice)
                  << '\n';
    }
}

int learn_layer(const SoftmaxLearn& options, const CommonOptions& common) {
    SoftmaxData data = read_softmax_data(options.data);
    tell_beforehand(
        "softmax learn",
        softmax_seconds(source_of(data.examples).count, options.request.options) / machine_speed());
    const LearnedSoftmax found = told("softmax learn", [&] {
        return learn_softmax_layer(std::move(data), options.request, options.data);
    });
    Output output = describe(found);
    if (!options.output.empty() && !found.result.heads().empty()) {
        write_softmax_model(options.output, found.result.heads(), learned_meta(found));
        output.add("model", options.output);
    }
    warn(found.result);
    output.print(std::cout, common.json);
    return exit_code(decision(found.outcome));
}

void add_softmax_generate(CLI::App& parent, SoftmaxCommand& command, CommonOptions& common) {
    CLI::App* app = parent.add_subcommand(
        "generate", "Draw sequences with the outputs of planted softmax heads at every token");
    app->add_option("-N,--examples", command.generate.count, "Number of sequences")
        ->check(integer_within(1, Index{1} << 40))
        ->capture_default_str();
    app->add_option("-o,--output", command.generate.output, "Data set to write (.npz)")->required();
    for (const TaskParameter& parameter : task_named(kTask).parameters) {
        if (parameter.name == "relabel") {
            continue;  // the labels would be no softmax layer's any more
        }
        app->add_option_function<std::string>(
               "--" + parameter.name,
               [&command, name = parameter.name](const std::string& value) {
                   command.generate.parameters[name] = value;
               },
               parameter.description)
            ->default_str(parameter.default_value)
            ->type_name("");
    }
    add_common(*app, common);
    add_examples(*app, "  attest softmax generate --d 6 --heads 2 -N 40000 -o layer.npz\n");
    app->callback([&] { command.run = [&] { return generate(command.generate, common); }; });
}

void add_softmax_learn(CLI::App& parent, SoftmaxCommand& command, CommonOptions& common) {
    SoftmaxLearn& learn = command.learn;
    SoftmaxLearnOptions& options = learn.request.options;
    CLI::App* app =
        parent.add_subcommand("learn", "Learn softmax heads by the six phases of arXiv 2402.04084");
    app->add_option("data", learn.data, "Data set (.npz) with y of k*d entries a sequence")
        ->required();
    app->add_option("-o,--output", learn.output, "Model file to write (.npz)");
    app->add_option("--heads", options.m, "Number of heads; 0: found from the singular values")
        ->check(integer_within(0, 5))
        ->capture_default_str();
    app->add_option("--largest-norm",
                    options.largest_norm,
                    "Top of the window of ||Theta||_F; 0: from the hull")
        ->check(number_from_zero())
        ->capture_default_str();
    app->add_option("--held-out",
                    learn.request.held_out,
                    "Examples at the end kept for validation; 0: a fifth, at most 2000")
        ->check(integer_within(0, Index{1} << 40))
        ->capture_default_str();
    app->add_option(
           "--net-points", options.net_points, "Net points per axis; 0: 41, 13, 6 by heads")
        ->check(integer_within(0, 1000))
        ->capture_default_str();
    app->add_option("--most-tuples", options.most_tuples, "Refuse nets with more tuples than this")
        ->check(number_within(1.0, 1e12))
        ->capture_default_str();
    app->add_flag_callback(
        "--no-polish", [&options] { options.polish = false; }, "Stop after the six phases");
    add_common(*app, common);
    add_examples(*app, "  attest softmax learn layer.npz --heads 2 -o model.npz\n");
    app->callback([&] { command.run = [&] { return learn_layer(command.learn, common); }; });
}

}  // namespace

Command add_softmax(CLI::App& program, CommonOptions& common) {
    const auto command = std::make_shared<SoftmaxCommand>();
    CLI::App* app = program.add_subcommand(
        "softmax", "Softmax attention: generate data, learn a layer, diagnose its conditioning");
    app->require_subcommand(1);
    add_softmax_generate(*app, *command, common);
    add_softmax_learn(*app, *command, common);
    CLI::App* diagnosis = app->add_subcommand(
        "diagnose", "Non-degeneracy of planted heads, and how rarely they agree on these data");
    diagnosis->add_option("data", command->diagnosed, "Data set (.npz) of attest softmax generate")
        ->required();
    add_common(*diagnosis, common);
    add_examples(*diagnosis, "  attest softmax diagnose layer.npz --json\n");
    SoftmaxCommand& shared = *command;
    diagnosis->callback(
        [&shared, &common] { shared.run = [&] { return diagnose(shared.diagnosed, common); }; });
    add_examples(*app,
                 "  attest softmax generate --d 6 --heads 2 -N 40000 -o layer.npz\n"
                 "  attest softmax diagnose layer.npz\n"
                 "  attest softmax learn layer.npz --heads 2 -o model.npz\n");
    return {app, [command] { return command->run(); }};
}

}  // namespace attest::cli

#include "cli/softmax.hpp"

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "core/base/text.hpp"
#include "core/softmax/diagnostics.hpp"
#include "core/softmax/examples.hpp"
#include "core/softmax/pipeline.hpp"
#include "core/softmax/value_sum.hpp"
#include "record/json_text.hpp"
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

/// The three subcommands' options, and which of them runs.
struct SoftmaxCommand {
    SoftmaxGenerate generate;
    SoftmaxLearnCommand learn;
    std::string diagnosed;
    std::function<int()> run;
};

int generate(const SoftmaxGenerate& options, const CommonOptions& common) {
    const std::unique_ptr<Task> task = make_task(kTask, options.parameters, common.seed);
    // The task itself for its heads: noise wraps it.
    const ParameterReader reader(kTask, task_named(kTask).parameters, options.parameters);
    const SoftmaxAttention plain(softmax_attention_options(reader),
                                 Stream(common.seed).child(kTask));
    Dataset data = materialise(*task, 0, options.count, common.threads);
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
    SoftmaxLearnCommand& learn = command.learn;
    CLI::App* app =
        parent.add_subcommand("learn", "Learn softmax heads by the six phases of arXiv 2402.04084");
    app->add_option("data", learn.data, "Data set (.npz) with y of k*d entries a sequence")
        ->required();
    app->add_option("-o,--output", learn.output, "Model file to write (.npz)");
    app->add_option("--heads", learn.heads, "Number of heads; 0: found from the singular values")
        ->check(integer_within(0, 5))
        ->capture_default_str();
    app->add_option("--largest-norm",
                    learn.largest_norm,
                    "Top of the window of ||Theta||_F; 0: from the hull")
        ->check(number_from_zero())
        ->capture_default_str();
    app->add_option("--held-out",
                    learn.held_out,
                    "Examples at the end kept for validation; 0: a fifth, at most 2000")
        ->check(integer_within(0, Index{1} << 40))
        ->capture_default_str();
    app->add_option("--net-points", learn.net_points, "Net points per axis; 0: 41, 13, 6 by heads")
        ->check(integer_within(0, 1000))
        ->capture_default_str();
    app->add_option("--most-tuples", learn.most_tuples, "Refuse nets with more tuples than this")
        ->check(number_within(1.0, 1e12))
        ->capture_default_str();
    app->add_flag_callback(
        "--no-polish", [&learn] { learn.polish = false; }, "Stop after the six phases");
    add_common(*app, common);
    add_examples(*app, "  attest softmax learn layer.npz --heads 2 -o model.npz\n");
    app->callback([&] { command.run = [&] { return softmax_learn(command.learn, common); }; });
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

namespace {

constexpr Index kMostHeldOut = 2000;

struct Split {
    SoftmaxExamples training;
    SoftmaxExamples held_out;
};

Split split(const SoftmaxExamples& all, const SoftmaxLearnCommand& command) {
    const Index N = all.count();
    const Index held =
        command.held_out > 0 ? command.held_out : std::min(kMostHeldOut, std::max<Index>(1, N / 5));
    require(held < N,
            "{}: got {} examples and {} to hold out, expected more examples than that",
            command.data,
            N,
            held);
    return {subset(all, 0, N - held), subset(all, N - held, held)};
}

nlohmann::ordered_json optional_number(const std::optional<double>& value) {
    return value ? number_or_null(*value) : nlohmann::ordered_json(nullptr);
}

void add_number(Output& output, const std::string& key, const std::optional<double>& value) {
    output.add(key, optional_number(value), value ? brief(*value) : "none");
}

nlohmann::ordered_json candidates_json(const SoftmaxResult& result) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const HullCandidate& candidate : result.candidates) {
        list.push_back({{"origin", candidate.origin},
                        {"mode", to_string(candidate.mode)},
                        {"coverage", number_or_null(candidate.sum.coverage)},
                        {"constraints", candidate.constraints},
                        {"gap", number_or_null(candidate.hull.gap)},
                        {"accepted", candidate.accepted}});
    }
    return list;
}

void add_phases(Output& output, const SoftmaxResult& result) {
    output.add("crude_sum_sigma",
               number_or_null(scaled_least_sigma(result.crude)),
               brief(scaled_least_sigma(result.crude)));
    output.add_json("candidates", candidates_json(result));
    if (result.chosen) {
        const HullCandidate& chosen = result.candidates[*result.chosen];
        output.add(
            "chosen", chosen.origin, formatted("{}, {}", chosen.origin, to_string(chosen.mode)));
        output.add("gap", number_or_null(chosen.hull.gap), brief(chosen.hull.gap));
    }
    output.add("by_signs",
               result.cone.has_value(),
               result.cone ? formatted("yes, from {} saturated rows", result.cone->constraints)
                           : std::string("no"));
    output.add("net_points", result.net.points);
    output.add("net_tuples", number_or_null(result.net.tuples), brief(result.net.tuples));
    add_number(output, "net_error", result.net_validation);
    if (result.polished) {
        output.add("polish_iterations", result.polished->iterations);
    }
    add_number(output, "held_out_error", result.validation);
}

/// Errors against the heads that the file names.
void add_truth(Output& output, const SoftmaxResult& result, const SoftmaxHeads& truth) {
    output.add("crude_sum_error",
               number_or_null(sum_error(result.crude, truth)),
               brief(sum_error(result.crude, truth)));
    if (static_cast<Index>(truth.size()) != result.m) {
        return;
    }
    if (result.chosen) {
        const HullCandidate& chosen = result.candidates[*result.chosen];
        const HullError error = hull_error(chosen.hull, truth);
        output.add("refined_sum_error",
                   number_or_null(sum_error(chosen.sum.W, truth)),
                   brief(sum_error(chosen.sum.W, truth)));
        output.add("hull_error", number_or_null(error.distance), brief(error.distance));
        output.add("hull_angle",
                   number_or_null(error.angle_degrees),
                   brief(error.angle_degrees) + " degrees");
    }
    if (!result.net.best.empty()) {
        const double net = recovery_error(result.net.best.front().heads, truth).worst();
        const double polished = recovery_error(result.heads(), truth).worst();
        output.add("net_parameter_error", number_or_null(net), brief(net));
        output.add("parameter_error", number_or_null(polished), brief(polished));
    }
}

void warn(const SoftmaxResult& result) {
    for (const SoftmaxNotice notice : result.notices) {
        std::cerr << "attest softmax learn: " << to_string(notice) << ": " << explanation(notice)
                  << '\n';
    }
}

std::string meta_of(const SoftmaxResult& result, SoftmaxOutcome outcome) {
    nlohmann::ordered_json meta;
    meta["learner"] = "softmax_six_phases";
    meta["outcome"] = to_string(outcome);
    meta["net_error"] = optional_number(result.net_validation);
    meta["held_out_error"] = optional_number(result.validation);
    return json_text(meta);
}

}  // namespace

int softmax_learn(const SoftmaxLearnCommand& command, const CommonOptions& common) {
    SoftmaxData data = read_softmax_data(command.data);
    Split parts = split(data.examples, command);
    data.examples = SoftmaxExamples();
    SoftmaxLearnOptions options;
    options.m = command.heads;
    options.largest_norm = command.largest_norm;
    options.net_points = command.net_points;
    options.most_tuples = command.most_tuples;
    options.polish = command.polish;
    const SoftmaxResult result =
        learn_softmax(source_of(std::move(parts.training)), parts.held_out, options);
    const SoftmaxOutcome outcome =
        data.truth ? outcome_against(result.outcome, result.heads(), *data.truth) : result.outcome;
    Output output;
    output.add("outcome", to_string(outcome));
    output.add("num_examples", result.examples);
    output.add("heads", result.m);
    if (data.truth) {
        output.add("planted_heads", data.truth->size());
    }
    add_phases(output, result);
    if (data.truth) {
        add_truth(output, result, *data.truth);
    }
    nlohmann::ordered_json notices = nlohmann::ordered_json::array();
    for (const SoftmaxNotice notice : result.notices) {
        notices.push_back(to_string(notice));
    }
    output.add_json("notices", notices);
    for (const auto& [phase, seconds] : result.seconds) {
        output.add("seconds_" + phase, number_or_null(seconds), format_seconds(seconds));
    }
    if (!command.output.empty() && !result.heads().empty()) {
        write_softmax_model(command.output, result.heads(), meta_of(result, outcome));
        output.add("model", command.output);
    }
    warn(result);
    output.print(std::cout, common.json);
    return outcome == SoftmaxOutcome::recovered || outcome == SoftmaxOutcome::predicts ? kHolds
                                                                                       : kUndecided;
}

}  // namespace attest::cli

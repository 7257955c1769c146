#include "cli/softmax_learn.hpp"

#include "cli/output.hpp"
#include "core/base/text.hpp"
#include "core/softmax/non_degeneracy.hpp"
#include "core/softmax/pipeline.hpp"
#include "core/softmax/recovery.hpp"
#include "core/softmax/softmax_file.hpp"
#include "record/json_text.hpp"

#include <algorithm>
#include <iostream>

namespace attest::cli {

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

#include "cli/softmax_learn.hpp"

#include "cli/report.hpp"
#include "core/base/text.hpp"
#include "core/softmax/non_degeneracy.hpp"
#include "core/softmax/pipeline.hpp"
#include "core/softmax/recovery.hpp"
#include "core/softmax/softmax_file.hpp"

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
    return value ? json_number(*value) : nlohmann::ordered_json(nullptr);
}

void add_number(Report& report, const std::string& key, const std::optional<double>& value) {
    report.add(key, optional_number(value), value ? brief(*value) : "none");
}

nlohmann::ordered_json candidates_json(const SoftmaxResult& result) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const HullCandidate& candidate : result.candidates) {
        list.push_back({{"origin", candidate.origin},
                        {"mode", to_string(candidate.mode)},
                        {"coverage", json_number(candidate.sum.coverage)},
                        {"constraints", candidate.constraints},
                        {"gap", json_number(candidate.hull.gap)},
                        {"accepted", candidate.accepted}});
    }
    return list;
}

void add_phases(Report& report, const SoftmaxResult& result) {
    report.add("crude_sum_sigma",
               json_number(scaled_least_sigma(result.crude)),
               brief(scaled_least_sigma(result.crude)));
    report.add_json("candidates", candidates_json(result));
    if (result.chosen) {
        const HullCandidate& chosen = result.candidates[*result.chosen];
        report.add(
            "chosen", chosen.origin, formatted("{}, {}", chosen.origin, to_string(chosen.mode)));
        report.add("gap", json_number(chosen.hull.gap), brief(chosen.hull.gap));
    }
    report.add("by_signs",
               result.cone.has_value(),
               result.cone ? formatted("yes, from {} saturated rows", result.cone->constraints)
                           : std::string("no"));
    report.add("net_points", result.net.points);
    report.add("net_tuples", json_number(result.net.tuples), brief(result.net.tuples));
    add_number(report, "net_error", result.net_validation);
    if (result.polished) {
        report.add("polish_iterations", result.polished->iterations);
    }
    add_number(report, "held_out_error", result.validation);
}

/// Errors against the heads that the file names.
void add_truth(Report& report, const SoftmaxResult& result, const SoftmaxHeads& truth) {
    report.add("crude_sum_error",
               json_number(sum_error(result.crude, truth)),
               brief(sum_error(result.crude, truth)));
    if (static_cast<Index>(truth.size()) != result.m) {
        return;
    }
    if (result.chosen) {
        const HullCandidate& chosen = result.candidates[*result.chosen];
        const HullError error = hull_error(chosen.hull, truth);
        report.add("refined_sum_error",
                   json_number(sum_error(chosen.sum.W, truth)),
                   brief(sum_error(chosen.sum.W, truth)));
        report.add("hull_error", json_number(error.distance), brief(error.distance));
        report.add("hull_angle",
                   json_number(error.angle_degrees),
                   brief(error.angle_degrees) + " degrees");
    }
    if (!result.net.best.empty()) {
        const double net = recovery_error(result.net.best.front().heads, truth).worst();
        const double polished = recovery_error(result.heads(), truth).worst();
        report.add("net_parameter_error", json_number(net), brief(net));
        report.add("parameter_error", json_number(polished), brief(polished));
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
    return meta.dump();
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
    Report report;
    report.add("outcome", to_string(outcome));
    report.add("num_examples", result.examples);
    report.add("heads", result.m);
    if (data.truth) {
        report.add("planted_heads", data.truth->size());
    }
    add_phases(report, result);
    if (data.truth) {
        add_truth(report, result, *data.truth);
    }
    nlohmann::ordered_json notices = nlohmann::ordered_json::array();
    for (const SoftmaxNotice notice : result.notices) {
        notices.push_back(to_string(notice));
    }
    report.add_json("notices", notices);
    for (const auto& [phase, seconds] : result.seconds) {
        report.add("seconds_" + phase, json_number(seconds), format_seconds(seconds));
    }
    if (!command.output.empty() && !result.heads().empty()) {
        write_softmax_model(command.output, result.heads(), meta_of(result, outcome));
        report.add("model", command.output);
    }
    warn(result);
    report.print(std::cout, common.json);
    return outcome == SoftmaxOutcome::recovered || outcome == SoftmaxOutcome::predicts ? kHolds
                                                                                       : kUndecided;
}

}  // namespace attest::cli

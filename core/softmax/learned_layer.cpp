#include "core/softmax/learned_layer.hpp"

#include "core/base/error.hpp"
#include "core/base/json_text.hpp"
#include "core/base/text.hpp"
#include "core/softmax/diagnostics.hpp"
#include "core/softmax/value_sum.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace attest {

namespace {

constexpr Index kMostHeldOut = 2000;

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

}  // namespace

double softmax_seconds(Index num_examples, const SoftmaxLearnOptions& options) {
    // Of heads − 1 axes: the net's default points on each, and the ball's share of the cube.
    constexpr std::array<double, 5> kPoints{1.0, 41.0, 13.0, 6.0, 6.0};
    constexpr std::array<double, 5> kShare{1.0, 1.0, 0.785, 0.524, 0.308};
    const Index heads = std::clamp<Index>(options.m > 0 ? options.m : 3, 1, 5);
    const auto at = static_cast<std::size_t>(heads - 1);
    const double axis =
        options.net_points > 0 ? static_cast<double>(options.net_points) : kPoints.at(at);
    const double points = kShare.at(at) * std::pow(axis, static_cast<double>(heads - 1));
    double tuples = 1.0;
    for (Index k = 0; k < heads; ++k) {
        tuples *= std::max(points - static_cast<double>(k), 1.0) / static_cast<double>(k + 1);
    }
    // Passes over the examples, then the tuples of the net, where it is not refused. Measured on a
    // machine 1.25 times as fast: 0.6 s of 158 000 examples and two heads, 1.5 s of 38 000 and
    // four, 2 to 3 s of three.
    return 4e-6 * static_cast<double>(num_examples * heads) +
           (tuples <= options.most_tuples ? 5e-6 * tuples : 0.0);
}

LearnedSoftmax learn_softmax_layer(SoftmaxData data,
                                   const SoftmaxRequest& request,
                                   const std::string& name) {
    const Index N = data.examples.count();
    const Index held =
        request.held_out > 0 ? request.held_out : std::min(kMostHeldOut, std::max<Index>(1, N / 5));
    require(held < N,
            "{}: got {} examples and {} to hold out, expected more examples than that",
            name,
            N,
            held);
    SoftmaxExamples training = subset(data.examples, 0, N - held);
    const SoftmaxExamples held_out = subset(data.examples, N - held, held);
    data.examples = SoftmaxExamples();
    LearnedSoftmax found;
    found.result = learn_softmax(source_of(std::move(training)), held_out, request.options);
    found.truth = std::move(data.truth);
    found.outcome = found.truth
                        ? outcome_against(found.result.outcome, found.result.heads(), *found.truth)
                        : found.result.outcome;
    return found;
}

Decision decision(SoftmaxOutcome found) {
    return found == SoftmaxOutcome::recovered || found == SoftmaxOutcome::predicts
               ? Decision::yes
               : Decision::undecided;
}

Output describe(const LearnedSoftmax& found) {
    const SoftmaxResult& result = found.result;
    Output output;
    output.add("outcome", to_string(found.outcome));
    output.add("num_examples", result.examples);
    output.add("heads", result.m);
    if (found.truth) {
        output.add("planted_heads", found.truth->size());
    }
    add_phases(output, result);
    if (found.truth) {
        add_truth(output, result, *found.truth);
    }
    nlohmann::ordered_json notices = nlohmann::ordered_json::array();
    for (const SoftmaxNotice notice : result.notices) {
        notices.push_back(to_string(notice));
    }
    output.add_json("notices", notices);
    for (const auto& [phase, seconds] : result.seconds) {
        output.add("seconds_" + phase, number_or_null(seconds), format_seconds(seconds));
    }
    return output;
}

std::string learned_meta(const LearnedSoftmax& found) {
    nlohmann::ordered_json meta;
    meta["learner"] = "softmax_six_phases";
    meta["outcome"] = to_string(found.outcome);
    meta["net_error"] = optional_number(found.result.net_validation);
    meta["held_out_error"] = optional_number(found.result.validation);
    return json_text(meta);
}

}  // namespace attest

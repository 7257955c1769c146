#include "bench/experiments/softmax/chen_li_problem.hpp"

#include "bench/experiments/frame/group_table.hpp"
#include "core/softmax/diagnostics.hpp"

#include <limits>
#include <optional>

namespace attest {

namespace {

constexpr Index kHeldOut = 2000;

Stream stream_of(const ChenLiSetting& setting, std::string_view experiment, std::uint64_t seed) {
    return Stream(seed).child(experiment).child(setting.repetition);
}

SoftmaxAttentionOptions options_of(const ChenLiSetting& setting) {
    SoftmaxAttentionOptions options;
    options.law = setting.law;
    options.k = setting.k;
    options.teacher.d = setting.d;
    options.teacher.heads = setting.m;
    options.teacher.norm = setting.norm;
    options.teacher.theta = setting.theta;
    options.teacher.value = setting.value;
    return options;
}

}  // namespace

SoftmaxAttention chen_li_task(const ChenLiSetting& setting,
                              std::string_view experiment,
                              std::uint64_t seed) {
    return {options_of(setting), stream_of(setting, experiment, seed)};
}

NoisyLabels chen_li_training(const ChenLiSetting& setting,
                             std::string_view experiment,
                             std::uint64_t seed) {
    const Stream stream = stream_of(setting, experiment, seed);
    return {std::make_unique<SoftmaxAttention>(options_of(setting), stream),
            setting.noise,
            stream.child("noise")};
}

CaseKey chen_li_key(const ChenLiSetting& setting,
                    std::string_view experiment,
                    std::uint64_t seed,
                    std::string learner) {
    CaseKey key;
    key.task = "softmax_attention";
    key.parameters = {{"law", std::string(name_of(kTokenLaws, setting.law))},
                      {"theta", std::string(name_of(kThetaKinds, setting.theta))},
                      {"value", std::string(name_of(kValueKinds, setting.value))},
                      {"d", std::int64_t{setting.d}},
                      {"k", std::int64_t{setting.k}},
                      {"m", std::int64_t{setting.m}},
                      {"norm", setting.norm},
                      {"noise", setting.noise},
                      {"num_examples", std::int64_t{setting.num_examples}}};
    key.learner = std::move(learner);
    key.seed = seed;
    key.stream = stream_of(setting, experiment, seed).path();
    key.repetition = setting.repetition;
    return key;
}

SoftmaxExamples chen_li_held_out(const SoftmaxAttention& task, const ChenLiSetting& setting) {
    return softmax_source(task, setting.num_examples, kHeldOut).draw(0, kHeldOut);
}

SoftmaxLearnOptions chen_li_options(const SoftmaxHeads& planted) {
    SoftmaxLearnOptions options;
    options.m = static_cast<Index>(planted.size());
    options.largest_norm = 1.5 * largest_theta(planted);
    return options;
}

Metrics chen_li_metrics(const SoftmaxResult& result, const SoftmaxHeads& planted, double noise) {
    // Where a search found nothing, what it holds at the end is one of many things that it might.
    const auto unbounded_if = [](bool failed) {
        return failed ? std::optional(std::numeric_limits<double>::infinity()) : std::nullopt;
    };
    Metrics metrics;
    metrics["crude_sum_error"] = {sum_error(result.crude, planted)};
    bool provable = false;
    if (result.chosen) {
        const HullCandidate& chosen = result.candidates[*result.chosen];
        const HullError hull = hull_error(chosen.hull, planted);
        metrics["refined_sum_error"] = {sum_error(chosen.sum.W, planted)};
        metrics["coverage"] = {chosen.sum.coverage};
        metrics["gap"] = {chosen.hull.gap};
        metrics["hull_error"] = {hull.distance};
        metrics["hull_angle"] = {hull.angle_degrees};
    }
    metrics["by_signs"] = {result.cone ? 1.0 : 0.0, {}, "success"};
    if (result.cone) {
        const HullError hull = hull_error(result.cone->hull, planted);
        const std::optional<double> bound = unbounded_if(result.cone->gap < kWeakGap);
        metrics["sign_gap"] = {result.cone->gap, bound};
        metrics["sign_hull_error"] = {hull.distance, bound};
    }
    if (!result.net.best.empty()) {
        const double error = recovery_error(result.net.best.front().heads, planted).worst();
        provable = error < kProvableError;
        metrics["net_parameter_error"] = {error, unbounded_if(!provable)};
        metrics["net_error"] = {*result.net_validation, unbounded_if(!provable)};
        metrics["net_tuples"] = {result.net.tuples, {}, "steps"};
    }
    if (result.polished) {
        // Without noise the polish ends at the planted heads, or far from them.
        const double rounding = noise > 0.0 ? 0.0 : kExactParameters;
        metrics["polish_iterations"] = {
            static_cast<double>(result.polished->iterations), {}, "steps"};
        metrics["parameter_error"] =
            zero_up_to(rounding, recovery_error(result.heads(), planted).worst());
        metrics["held_out_error"] = zero_up_to(rounding * rounding, *result.validation);
    }
    metrics["provable"] = {provable ? 1.0 : 0.0, {}, "success"};
    metrics["recovered_by_polish"] = {
        result.outcome == SoftmaxOutcome::recovered_by_polish ? 1.0 : 0.0, {}, "success"};
    for (const SoftmaxNotice notice : {SoftmaxNotice::rows_not_injective,
                                       SoftmaxNotice::sum_zero,
                                       SoftmaxNotice::no_hull,
                                       SoftmaxNotice::weak_gap}) {
        metrics[std::string(to_string(notice))] = {result.has(notice) ? 1.0 : 0.0};
    }
    for (const auto& [phase, seconds] : result.seconds) {
        metrics["seconds_" + phase] = {seconds, std::nullopt, "s"};
    }
    return metrics;
}

Table chen_li_table(const std::vector<Row>& rows,
                    const std::vector<std::string>& fields,
                    const std::vector<ChenLiColumn>& columns) {
    std::vector<KeyColumn> keys;
    keys.reserve(fields.size());
    for (const std::string& field : fields) {
        keys.emplace_back(field.c_str(), field);
    }
    std::vector<GroupColumn> summed;
    summed.reserve(columns.size());
    for (const auto& [header, metric, statistic] : columns) {
        summed.push_back({metric, kThreeDigits, header, statistic});
    }
    return group_table(rows, keys, summed);
}

}  // namespace attest

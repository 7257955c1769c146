#include "bench/experiments/entries.hpp"
#include "bench/experiments/softmax/chen_li_problem.hpp"
#include "core/softmax/baselines.hpp"
#include "core/softmax/diagnostics.hpp"

namespace attest {

// The six phases beside generic optimisation on the same data: Levenberg–Marquardt from one random
// start, and Adam.
//
// Expected outcome: Levenberg–Marquardt wins in time and samples at these sizes; it meets a local
// minimum in some runs with m = 3. Adam does not reach exactness where the heads are saturated.

namespace {

constexpr std::string_view kBaselinesId = "chen_li_baselines";
constexpr Index kTraining = 600;

CaseOutcome outcome_of(const SoftmaxHeads& heads,
                       const SoftmaxAttention& task,
                       const SoftmaxExamples& held_out) {
    const double error = relative_error(heads, held_out);
    CaseOutcome outcome;
    outcome.metrics["held_out_error"] = {error};
    outcome.metrics["parameter_error"] = {recovery_error(heads, task.heads()).worst()};
    outcome.metrics["exact"] = {error < kExactSuccess ? 1.0 : 0.0};
    return outcome;
}

CaseOutcome run_learner(const ChenLiSetting& setting,
                        const std::string& learner,
                        std::uint64_t seed) {
    const SoftmaxAttention task = chen_li_task(setting, kBaselinesId, seed);
    const SoftmaxExamples held_out = chen_li_held_out(task, setting);
    const SoftmaxSource source = softmax_source(task, 0, setting.num_examples);
    const Stream stream = Stream(seed).child(kBaselinesId).child(learner).child(setting.repetition);
    if (learner == "levenberg_marquardt") {
        const SoftmaxFit fit =
            fit_from_random(source.draw(0, kTraining), setting.m, 0.3, 1, stream);
        return outcome_of(fit.heads, task, held_out);
    }
    if (learner == "adam") {
        const SoftmaxFit fit = fit_by_adam(source.draw(0, kTraining), setting.m, {}, stream);
        return outcome_of(fit.heads, task, held_out);
    }
    const SoftmaxResult result = learn_softmax(source, held_out, chen_li_options(task.heads()));
    CaseOutcome outcome;
    if (!result.heads().empty()) {
        outcome = outcome_of(result.heads(), task, held_out);
    }
    // A success of the polish alone is not one of the phases.
    const double recovered = result.outcome == SoftmaxOutcome::recovered ? 1.0 : 0.0;
    outcome.metrics["exact"] = {recovered};
    outcome.metrics["recovered_by_polish"] = {
        result.outcome == SoftmaxOutcome::recovered_by_polish ? 1.0 : 0.0};
    return outcome;
}

Table baselines_table(const std::vector<Row>& rows) {
    return chen_li_table(rows,
                         {"law", "d", "k", "m", "norm", "learner"},
                         {{"exact", "exact", Statistic::mean},
                          {"by polish only", "recovered_by_polish", Statistic::mean},
                          {"held out", "held_out_error"},
                          {"parameters", "parameter_error"}});
}

Experiment make_chen_li_baselines(Profile profile, std::uint64_t seed) {
    const bool quick = profile == Profile::quick;
    std::vector<ChenLiSetting> settings{{TokenLaw::gaussian, 6, 2, 2, 3.0, 40000},
                                        {TokenLaw::gaussian, 6, 2, 2, 12.0, 40000},
                                        {TokenLaw::gaussian, 6, 2, 3, 3.0, 150000}};
    if (!quick) {
        settings.push_back({TokenLaw::boolean, 8, 2, 2, 3.0, 60000});
        settings.push_back({TokenLaw::gaussian, 6, 3, 2, 3.0, 50000});
        settings.push_back({TokenLaw::gaussian, 6, 2, 3, 12.0, 150000});
    }
    Experiment experiment{std::string(kBaselinesId), profile, seed};
    for (ChenLiSetting setting : settings) {
        for (const char* learner : {"six_phases", "levenberg_marquardt", "adam"}) {
            const bool slow = std::string_view(learner) == "adam" && quick;
            const Index repetitions = slow ? 1 : quick ? 2 : 10;
            for (setting.repetition = 0; setting.repetition < repetitions; ++setting.repetition) {
                experiment.cases.push_back({chen_li_key(setting, kBaselinesId, seed, learner),
                                            [setting, seed, name = std::string(learner)] {
                                                return run_learner(setting, name, seed);
                                            }});
            }
        }
    }
    return experiment;
}

std::string chen_li_baselines_text(const std::vector<Row>& rows) {
    return "The six phases with polish beside generic optimisers (600 examples)\n" +
           to_terminal(baselines_table(rows));
}

Derived chen_li_baselines_derived(const std::vector<Row>& rows) {
    return {.tables = {{"chen_li_baselines", baselines_table(rows)}}};
}

}  // namespace

ExperimentEntry chen_li_baselines() {
    return {.id = "chen_li_baselines",
            .summary = "the six phases beside Levenberg-Marquardt and Adam from random starts",
            .quick_seconds = 11.0,
            .full_seconds = 900.0,
            .make = make_chen_li_baselines,
            .text = chen_li_baselines_text,
            .derive_numbered = chen_li_baselines_derived};
}

}  // namespace attest

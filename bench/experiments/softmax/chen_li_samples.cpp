#include "bench/experiments/entries.hpp"
#include "bench/experiments/softmax/chen_li_problem.hpp"
#include "core/softmax/baselines.hpp"
#include "core/softmax/diagnostics.hpp"

#include <utility>

namespace attest {

// How many examples the six phases need for m = 1, 2, 3 heads, beside Levenberg–Marquardt from one
// random start, which needs as many as there are unknowns.
//
// Expected outcome: about 10², 3·10², 10⁵ for the phases: a factor of hundreds from m = 2 to m = 3.

namespace {

constexpr std::string_view kSamplesId = "chen_li_samples";

CaseOutcome run_phases(const ChenLiSetting& setting, std::uint64_t seed) {
    const SoftmaxAttention task = chen_li_task(setting, kSamplesId, seed);
    SoftmaxLearnOptions options = chen_li_options(task.heads());
    options.polish = false;
    const SoftmaxResult result = learn_softmax(
        softmax_source(task, 0, setting.num_examples), chen_li_held_out(task, setting), options);
    const Metrics all = chen_li_metrics(result, task.heads(), setting.noise);
    CaseOutcome outcome;
    outcome.metrics["success"] = all.at("provable");
    for (const char* name : {"net_parameter_error", "hull_error", "refined_sum_error"}) {
        if (const auto found = all.find(name); found != all.end()) {
            outcome.metrics[name] = found->second;
        }
    }
    return outcome;
}

CaseOutcome run_polish(const ChenLiSetting& setting, std::uint64_t seed) {
    const SoftmaxAttention task = chen_li_task(setting, kSamplesId, seed);
    const SoftmaxFit fit = fit_from_random(
        softmax_source(task, 0, setting.num_examples).draw(0, setting.num_examples),
        setting.m,
        0.3,
        1,
        Stream(seed).child(kSamplesId).child("levenberg_marquardt").child(setting.repetition));
    const double error = recovery_error(fit.heads, task.heads()).worst();
    CaseOutcome outcome;
    outcome.metrics["success"] = {error < kExactParameters ? 1.0 : 0.0, {}, "success"};
    outcome.metrics["parameter_error"] = zero_up_to(kExactParameters, error);
    return outcome;
}

void add_sizes(Experiment& experiment,
               ChenLiSetting setting,
               Index repetitions,
               std::string_view learner) {
    const std::uint64_t seed = experiment.seed;
    for (setting.repetition = 0; setting.repetition < repetitions; ++setting.repetition) {
        const bool phases = learner == "six_phases";
        experiment.cases.push_back(
            {chen_li_key(setting, kSamplesId, seed, std::string(learner)), [setting, seed, phases] {
                 return phases ? run_phases(setting, seed) : run_polish(setting, seed);
             }});
    }
}

Table samples_table(const std::vector<Row>& rows) {
    return chen_li_table(rows,
                         {"learner", "m", "num_examples"},
                         {{"success", "success", Statistic::mean},
                          {"hull", "hull_error"},
                          {"net, parameters", "net_parameter_error"}});
}

Experiment make_chen_li_samples(Profile profile, std::uint64_t seed) {
    const bool quick = profile == Profile::quick;
    Experiment experiment{std::string(kSamplesId), profile, seed};
    const std::vector<std::pair<Index, std::vector<Index>>> counts{
        {1, {30, 100, 300}},
        {2, {100, 300, 1000}},
        {3,
         quick ? std::vector<Index>{3000, 30000} : std::vector<Index>{3000, 10000, 30000, 100000}}};
    for (const auto& [m, sizes] : counts) {
        for (const Index N : sizes) {
            add_sizes(
                experiment, {TokenLaw::gaussian, 4, 2, m, 3.0, N}, quick ? 3 : 20, "six_phases");
        }
        for (const Index N : {15, 30, 60, 120}) {
            add_sizes(experiment,
                      {TokenLaw::gaussian, 4, 2, m, 3.0, N},
                      quick ? 3 : 20,
                      "levenberg_marquardt");
        }
    }
    return experiment;
}

std::string chen_li_samples_text(const std::vector<Row>& rows) {
    return "Successes by number of examples, d = 4, k = 2, ‖Θ‖ = 3\n" +
           to_terminal(samples_table(rows));
}

Derived chen_li_samples_derived(const std::vector<Row>& rows) {
    return {.tables = {{"chen_li_samples", samples_table(rows)}}};
}

}  // namespace

ExperimentEntry chen_li_samples() {
    return {.id = "chen_li_samples",
            .summary = "examples that the six phases need, against the number of heads",
            .quick_seconds = 3.0,
            .full_seconds = 300.0,
            .make = make_chen_li_samples,
            .text = chen_li_samples_text,
            .derive_numbered = chen_li_samples_derived};
}

}  // namespace attest

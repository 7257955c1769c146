#include "bench/experiments/softmax/chen_li_samples.hpp"

#include "bench/experiments/softmax/chen_li_problem.hpp"
#include "bench/experiments/softmax/chen_li_report.hpp"
#include "core/softmax/baselines.hpp"
#include "core/softmax/recovery.hpp"

#include <utility>

namespace attest {

namespace {

constexpr std::string_view kId = "chen_li_samples";
constexpr double kExactParameters = 1e-9;

CaseOutcome run_phases(const ChenLiSetting& setting, std::uint64_t seed) {
    const SoftmaxAttention task = chen_li_task(setting, kId, seed);
    SoftmaxLearnOptions options = chen_li_options(task.heads());
    options.polish = false;
    const SoftmaxResult result = learn_softmax(
        softmax_source(task, 0, setting.num_examples), chen_li_held_out(task, setting), options);
    const Metrics all = chen_li_metrics(result, task.heads());
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
    const SoftmaxAttention task = chen_li_task(setting, kId, seed);
    const SoftmaxFit fit = fit_from_random(
        softmax_source(task, 0, setting.num_examples).draw(0, setting.num_examples),
        setting.m,
        0.3,
        1,
        Stream(seed).child(kId).child("levenberg_marquardt").child(setting.repetition));
    const double error = recovery_error(fit.heads, task.heads()).worst();
    CaseOutcome outcome;
    outcome.metrics["success"] = {error < kExactParameters ? 1.0 : 0.0};
    outcome.metrics["parameter_error"] = {error};
    return outcome;
}

void add_cases(Experiment& experiment,
               ChenLiSetting setting,
               Index repetitions,
               std::string_view learner) {
    const std::uint64_t seed = experiment.seed;
    for (setting.repetition = 0; setting.repetition < repetitions; ++setting.repetition) {
        const bool phases = learner == "six_phases";
        experiment.cases.push_back(
            {chen_li_key(setting, kId, seed, std::string(learner)), [setting, seed, phases] {
                 return phases ? run_phases(setting, seed) : run_polish(setting, seed);
             }});
    }
}

Table samples_table(const std::vector<Row>& rows) {
    return report_table(rows,
                        {{"learner", "m", "num_examples"},
                         {{"success", "success", ReportValue::mean},
                          {"hull", "hull_error"},
                          {"net, parameters", "net_parameter_error"}}});
}

}  // namespace

Experiment make_chen_li_samples(Profile profile, std::uint64_t seed) {
    const bool quick = profile == Profile::quick;
    Experiment experiment{std::string(kId), profile, seed};
    const std::vector<std::pair<Index, std::vector<Index>>> counts{
        {1, {30, 100, 300}},
        {2, {100, 300, 1000}},
        {3,
         quick ? std::vector<Index>{3000, 30000} : std::vector<Index>{3000, 10000, 30000, 100000}}};
    for (const auto& [m, sizes] : counts) {
        for (const Index N : sizes) {
            add_cases(
                experiment, {TokenLaw::gaussian, 4, 2, m, 3.0, N}, quick ? 3 : 20, "six_phases");
        }
        for (const Index N : {15, 30, 60, 120}) {
            add_cases(experiment,
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

std::vector<std::filesystem::path> derive_chen_li_samples(const std::vector<Row>& rows,
                                                          const std::filesystem::path& folder) {
    return write_report(samples_table(rows), folder, std::string(kId));
}

}  // namespace attest

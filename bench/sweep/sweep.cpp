#include "bench/sweep/sweep.hpp"

#include "bench/experiments/frame/last_problem.hpp"
#include "bench/sweep/sweep_case.hpp"
#include "bench/sweep/sweep_report.hpp"
#include "core/base/parse_number.hpp"
#include "core/rng/stream.hpp"

#include <cmath>
#include <memory>
#include <utility>

namespace attest {

namespace {

constexpr const char* kPlanKey = "sweep";

/// Every combination of the axes' values, the first axis slowest.
std::vector<SweepWords> combinations(const std::vector<SweepAxis>& axes) {
    std::vector<SweepWords> found{{}};
    for (const SweepAxis& axis : axes) {
        std::vector<SweepWords> longer;
        for (const SweepWords& words : found) {
            for (const std::string& value : axis.values) {
                longer.push_back(words);
                longer.back()[axis.name] = value;
            }
        }
        found = std::move(longer);
    }
    return found;
}

using SweepProblems = LastProblem<SweepSetting, SweepProblem>;

/// A number where the words are one: tables sort and draw numbers.
ParameterValue value_of(const std::string& words) {
    if (const auto whole = parse_number<std::int64_t>(words); whole) {
        return *whole;
    }
    const auto number = parse_number<double>(words);
    return number && std::isfinite(*number) ? ParameterValue(*number) : ParameterValue(words);
}

ParameterMap values_of(const SweepWords& words) {
    ParameterMap values;
    for (const auto& [name, text] : words) {
        values[name] = value_of(text);
    }
    return values;
}

CaseKey key_of(const SweepSetting& setting, const std::string& learner, const SweepWords& words) {
    CaseKey key;
    key.task = setting.task;
    key.parameters = values_of(setting.parameters);
    key.parameters["sequences"] = value_of(setting.sequences);
    key.parameters["num_sequences"] = std::int64_t{num_sequences(setting)};
    key.parameters["held_out"] = std::int64_t{setting.held_out};
    key.learner = learner;
    key.learner_parameters = values_of(words);
    key.seed = setting.seed;
    key.stream = Stream(setting.seed).child(setting.task).path();
    return key;
}

/// A solver that declines is a row that says so.
template <class Run>
std::function<CaseOutcome()> or_refused(Run run) {
    return [run] {
        try {
            return run();
        } catch (const NotAvailable& refusal) {
            return CaseOutcome{{}, RowStatus::refused, refusal.what()};
        }
    };
}

/// Wrong words are refused here, before anything is drawn.
void add_cases(const SweepPlan& plan,
               const SweepSetting& setting,
               const std::shared_ptr<SweepProblems>& problems,
               std::vector<Case>& cases) {
    if (!plan.learn.empty()) {
        for (const SweepWords& words : combinations(plan.learn)) {
            (void)layer_asked_for(words);
            const LearnRequest request = learn_request(words, setting.seed, plan.threads);
            cases.push_back({key_of(setting, "learn", words), or_refused([=] {
                                 return measure_learning(*problems->of(setting), words, request);
                             })});
        }
    }
    if (!plan.certify.empty()) {
        for (const SweepWords& words : combinations(plan.certify)) {
            (void)layer_asked_for(words);
            const CertifyRequest request = certify_request(words);
            cases.push_back({key_of(setting, "certify", words), or_refused([=] {
                                 return measure_certificate(*problems->of(setting), words, request);
                             })});
        }
    }
}

Experiment make_sweep(const SweepPlan& plan, Profile profile, std::uint64_t seed) {
    Experiment experiment{plan.name, profile, seed, {{kPlanKey, plan.text}}};
    const auto problems = std::make_shared<SweepProblems>(draw_sweep_problem);
    for (const SweepWords& parameters : combinations(plan.parameters)) {
        for (const std::string& sequences : plan.sequences.values) {
            for (const std::uint64_t own : plan.seeds) {
                add_cases(plan,
                          {plan.task, parameters, sequences, plan.held_out, seed + own},
                          problems,
                          experiment.cases);
            }
        }
    }
    return experiment;
}

}  // namespace

ExperimentEntry sweep_entry(const SweepPlan& plan) {
    ExperimentEntry entry;
    entry.id = plan.name;
    entry.summary = plan.summary;
    entry.make = [plan](Profile profile, std::uint64_t seed) {
        return make_sweep(plan, profile, seed);
    };
    entry.text = [plan](const std::vector<Row>& rows) { return sweep_text(plan, rows); };
    entry.derive_numbered = [plan](const std::vector<Row>& rows) {
        return sweep_derived(plan, rows);
    };
    entry.asks_for_refusals = true;
    return entry;
}

std::optional<ExperimentEntry> sweep_behind(const Configuration& configuration) {
    const auto found = configuration.parameters.find(kPlanKey);
    if (found == configuration.parameters.end()) {
        return std::nullopt;
    }
    return sweep_entry(sweep_from_text(to_string(found->second), configuration.id));
}

}  // namespace attest

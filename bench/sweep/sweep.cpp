#include "bench/sweep/sweep.hpp"

#include "bench/experiments/frame/group_table.hpp"
#include "bench/experiments/frame/last_problem.hpp"
#include "bench/sweep/sweep_report.hpp"
#include "core/base/text.hpp"
#include "core/base/timer.hpp"
#include "core/layers/parse_layer.hpp"
#include "core/questions/certify.hpp"
#include "core/rng/stream.hpp"
#include "core/solve/solvers.hpp"
#include "tasks/registry.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

namespace attest {

namespace {

constexpr const char* kPlanKey = "sweep";
constexpr const char* kSequences = "sequences";

/// Every combination of the axes' values, the first axis slowest; zipped axes change together,
/// where the first of them stands.
std::vector<SweepWords> combinations(const std::vector<SweepAxis>& axes,
                                     const std::vector<std::string>& zipped = {}) {
    const auto is_zipped = [&](const SweepAxis& axis) {
        return std::find(zipped.begin(), zipped.end(), axis.name) != zipped.end();
    };
    const auto first = std::find_if(axes.begin(), axes.end(), is_zipped);
    std::vector<SweepWords> found{{}};
    for (auto axis = axes.begin(); axis != axes.end(); ++axis) {
        if (is_zipped(*axis) && axis != first) {
            continue;
        }
        std::vector<SweepWords> longer;
        for (const SweepWords& words : found) {
            for (std::size_t k = 0; k < axis->values.size(); ++k) {
                longer.push_back(words);
                longer.back()[axis->name] = axis->values[k];
                for (auto other = axis; axis == first && other != axes.end(); ++other) {
                    if (is_zipped(*other)) {
                        longer.back()[other->name] = other->values[k];
                    }
                }
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
    for (SweepWords& setting : data_settings(plan)) {
        const std::string sequences = setting.extract(kSequences).mapped();
        for (const std::uint64_t own : plan.seeds) {
            add_cases(plan,
                      {plan.task, setting, sequences, plan.held_out, seed + own},
                      problems,
                      experiment.cases);
        }
    }
    return experiment;
}

}  // namespace

std::vector<SweepWords> data_settings(const SweepPlan& plan) {
    std::vector<SweepAxis> axes = plan.parameters;
    axes.push_back(plan.sequences);
    return combinations(axes, plan.zipped);
}

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

namespace {

/// Held-out sequences are drawn from here on: no number of training sequences reaches them.
constexpr Index kFirstHeldOut = Index{1} << 40;

std::unique_ptr<Task> task_of(const SweepSetting& setting) {
    return make_task(setting.task, setting.parameters, setting.seed);
}

/// The data as the learner's layer reads them.
Dataset read_by(Dataset data, const SweepWords& words) {
    if (const std::optional<Layer> layer = layer_asked_for(words); layer) {
        data.layer = *layer;
        check(data);
    }
    return data;
}

std::string word(const SweepWords& words, const std::string& name, const std::string& otherwise) {
    const auto found = words.find(name);
    return found == words.end() ? otherwise : found->second;
}

double ridge_of(const std::string& words) {
    const std::optional<double> ridge = parse_number<double>(words);
    require(ridge.has_value() && std::isfinite(*ridge) && *ridge >= 0.0,
            "ridge: got '{}', expected a number from 0 on",
            words);
    return *ridge;
}

Metrics sizes(const Dataset& data) {
    return {{"psi", {static_cast<double>(data.layout().psi())}},
            {"num_examples", {static_cast<double>(data.num_examples())}}};
}

}  // namespace

Index num_sequences(const SweepSetting& setting) {
    const TaskTraits traits = task_of(setting)->traits();
    const FeatureLayout layout =
        traits.layer.is_linear() ? FeatureLayout(traits.d) : layout_of(traits.layer, traits.input);
    return sequences_of(setting.sequences, layout.psi());
}

SweepProblem draw_sweep_problem(const SweepSetting& setting) {
    const std::unique_ptr<Task> task = task_of(setting);
    SweepProblem problem{materialise(*task, 0, num_sequences(setting), 1), {}};
    if (setting.held_out > 0) {
        problem.held_out = materialise(*task, kFirstHeldOut, setting.held_out, 1);
    }
    return problem;
}

LearnRequest learn_request(const SweepWords& words, std::uint64_t seed, int threads) {
    const std::string solver = word(words, "solver", "auto");
    if (solver != "auto") {
        (void)solver_named(solver);
    }
    const SolveOptions solve{
        ridge_of(word(words, "ridge", "0")), norm_from_string(word(words, "norm", "sym")), threads};
    return {solver, solve, head_request(word(words, "heads", "svd")), seed};
}

CaseOutcome measure_learning(const SweepProblem& problem,
                             const SweepWords& words,
                             const LearnRequest& request) {
    const Dataset train = read_by(problem.train, words);
    const DatasetSource source(train);
    const FactoredSource factored(source);
    const Timer timer;
    const Learned found = learn(factored, request, {});
    CaseOutcome outcome{sizes(train)};
    Metrics& metrics = outcome.metrics;
    metrics["seconds"] = {timer.seconds(), {}, "s"};
    metrics["train_relative"] = {found.risk.relative};
    metrics["rcond"] = {found.fit.rcond};
    metrics["unique"] = {found.fit.status == SolveStatus::unique ? 1.0 : 0.0};
    if (std::isfinite(found.fit.error_bound) && !presumes_numerical_rank(found.fit.status)) {
        metrics["error_bound"] = {found.fit.error_bound};
    }
    if (found.fit.rank >= 0) {
        metrics["rank"] = {static_cast<double>(found.fit.rank)};
    }
    if (found.model.heads.num_heads() > 0) {
        metrics["heads"] = {static_cast<double>(found.model.heads.num_heads())};
    }
    if (problem.held_out) {
        const Dataset held_out = read_by(*problem.held_out, words);
        const Risk risk = empirical_risk(found.model.P, DatasetSource(held_out));
        metrics["held_out_relative"] = {risk.relative};
        metrics["held_out_mse"] = {risk.mse};
    }
    return outcome;
}

CertifyRequest certify_request(const SweepWords& words) {
    CertifyRequest request;
    request.level = certify_level_from_string(word(words, "level", "exact"));
    return request;
}

std::optional<Layer> layer_asked_for(const SweepWords& words) {
    const auto found = words.find("layer");
    return found == words.end() ? std::nullopt : std::optional(layer_named(found->second));
}

CaseOutcome measure_certificate(const SweepProblem& problem,
                                const SweepWords& words,
                                const CertifyRequest& request) {
    const Dataset train = read_by(problem.train, words);
    const DatasetSource source(train);
    const Certification found = certify(FactoredSource(source), request);
    CaseOutcome outcome{sizes(train)};
    Metrics& metrics = outcome.metrics;
    const bool full = found.verdict == DataVerdict::determined ||
                      found.verdict == DataVerdict::numerically_full_rank;
    metrics["determined"] = {full ? 1.0 : 0.0};
    if (const ExactEvidence* const exact = found.exact();
        exact != nullptr && exact->rank.rank_is_exact()) {
        const auto rank = static_cast<double>(exact->rank.rank_lower);
        metrics["rank"] = {rank, {}, "", std::to_string(exact->rank.rank_lower)};
        metrics["nullity"] = {static_cast<double>(exact->rank.psi) - rank};
    }
    if (const NumericalSpectrum* const spectrum = found.spectrum()) {
        metrics.emplace("rank", Metric{static_cast<double>(spectrum->rank)});
        metrics.emplace("nullity", Metric{static_cast<double>(spectrum->nullity())});
        metrics["lambda_min"] = {spectrum->lambda_min, spectrum->lambda_min_bound()};
        metrics["condition"] = {spectrum->condition()};
    }
    return outcome;
}

}  // namespace attest

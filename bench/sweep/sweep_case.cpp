#include "bench/sweep/sweep_case.hpp"

#include "bench/experiments/frame/timer.hpp"
#include "bench/sweep/sweep_plan.hpp"
#include "core/audit/certify.hpp"
#include "core/base/parse_number.hpp"
#include "core/layers/parse_layer.hpp"
#include "core/solve/solvers.hpp"
#include "tasks/registry.hpp"

#include <cmath>
#include <memory>

namespace attest {

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
    if (found.rank && found.rank->rank_is_exact()) {
        const auto rank = static_cast<double>(found.rank->rank_lower);
        metrics["rank"] = {rank, {}, "", std::to_string(found.rank->rank_lower)};
        metrics["nullity"] = {static_cast<double>(found.rank->psi) - rank};
    }
    if (found.spectrum) {
        metrics.emplace("rank", Metric{static_cast<double>(found.spectrum->rank)});
        metrics.emplace("nullity", Metric{static_cast<double>(found.spectrum->nullity())});
        metrics["lambda_min"] = {found.spectrum->lambda_min, found.spectrum->lambda_min_bound()};
        metrics["condition"] = {found.spectrum->condition()};
    }
    return outcome;
}

}  // namespace attest

#include "core/distil/distil.hpp"

#include "bench/experiments/entries.hpp"
#include "bench/experiments/softmax/distil_problem.hpp"
#include "bench/experiments/softmax/distil_report.hpp"
#include "core/certify/exact_rank.hpp"
#include "core/solve/solvers.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace attest {

// What is lost when a softmax head is replaced by the best linear layer, as its scores get smaller,
// and what training finds in the place of least squares.
//
// Expected outcome: without a constant (linear) the mean of the tokens is missed and the risk
// stays; with one (affine, degree=0..p) it falls as τ², however large p, since the softmax's
// denominator is a second sum over the tokens; a normalised head has that sum and falls as τ⁴.
// Constants are those of the series in docs/distil.md. No training passes below the floor.

namespace {

constexpr std::string_view kHighestDegree = "degree=0..3";
constexpr std::array<std::string_view, 6> kFamilies{
    "linear", "affine", "degree=0..1", "degree=0..2", kHighestDegree, "affine normalised"};
constexpr std::array kTrainedFamilies{"linear", "affine", "degree=0..1"};
constexpr Index kLargestTrained = 3;  ///< d of the problems on which training is tried

using ProblemsOfDistil = std::shared_ptr<DistilProblems>;

void add_linear(CaseOutcome& outcome, const Dataset& train, const Dataset& held_out) {
    const DatasetSource source(train);
    const Matrix P = fit_least_squares(source, "svd", {}).P;
    const Risk risk = empirical_risk(P, source);
    outcome.metrics["risk"] = {risk.risk};
    outcome.metrics["relative"] = {risk.relative};
    outcome.metrics["held_out_relative"] = {empirical_risk(P, DatasetSource(held_out)).relative};
    outcome.metrics["rank"] = {static_cast<double>(certify_rank(train).rank_lower)};
    outcome.metrics["psi"] = {static_cast<double>(P.rows())};
}

void add_normalised(CaseOutcome& outcome, const Dataset& train, const Dataset& held_out) {
    const DistilledNormalised found = distil_normalised(train, &held_out);
    outcome.metrics["risk"] = {found.fit.risk};
    outcome.metrics["relative"] = {found.fit.risk / found.power};
    outcome.metrics["held_out_relative"] = {*found.held_out_relative};
    outcome.metrics["floor_relative"] = {found.fit.floor / found.power};
}

CaseOutcome measure_distil(const DistilSetting& setting, double tau, DistilProblems& problems) {
    const auto problem = problems.of(setting);
    SoftmaxLayer softmax = problem->softmax;
    softmax.tau = tau;
    const Dataset train = labelled_by(softmax, problem->train);
    const Dataset held_out = labelled_by(softmax, problem->held_out);
    CaseOutcome outcome;
    if (setting.normalised()) {
        add_normalised(outcome, train, held_out);
    } else {
        add_linear(outcome, train, held_out);
        const double power = train.y.squaredNorm() / static_cast<double>(train.num_examples());
        outcome.metrics["single_sum_relative"] = {problem->single_sum * tau * tau / power};
    }
    outcome.metrics["predicted"] = {problem->leading.constant *
                                    std::pow(tau, problem->leading.power)};
    outcome.metrics["predicted_exponent"] = {static_cast<double>(problem->leading.power)};
    return outcome;
}

/// The best or the worst start of an optimiser; nothing where all diverged.
void add_starts(CaseOutcome& outcome, const std::vector<Contender>& contenders) {
    for (const OptimiserKind kind : {OptimiserKind::adam, OptimiserKind::sgd}) {
        std::vector<double> found;
        for (const Contender& each : contenders) {
            if (each.optimiser == kind && each.relative_risk) {
                found.push_back(*each.relative_risk);
            }
        }
        if (!found.empty()) {
            const auto [best, worst] = std::minmax_element(found.begin(), found.end());
            outcome.metrics[std::string(to_string(kind)) + "_relative"] = {*best};
            outcome.metrics[std::string(to_string(kind)) + "_worst"] = {*worst};
        }
    }
}

CaseOutcome train_beside(const DistilSetting& setting,
                         double tau,
                         Index updates,
                         DistilProblems& problems) {
    const auto problem = problems.of(setting);
    SoftmaxLayer softmax = problem->softmax;
    softmax.tau = tau;
    const Dataset train = labelled_by(softmax, problem->train);
    DistilRequest request;
    request.contenders = {3, updates, 32, setting.seed};
    const Distilled found = distil(train, nullptr, request);
    const double power = found.train.risk / found.train.relative;
    CaseOutcome outcome;
    outcome.metrics["relative"] = {found.train.relative};
    outcome.metrics["floor_relative"] = {found.floor.value / power};
    outcome.metrics["floor_proved"] = {found.floor.basis == FloorBasis::numerical ? 0.0 : 1.0};
    add_starts(outcome, found.contenders);
    return outcome;
}

CaseKey distil_key(const DistilSetting& setting, double tau, const char* learner) {
    CaseKey key;
    key.task = "distil";
    key.parameters = {{"d", std::int64_t{setting.d}},
                      {"n", std::int64_t{setting.n}},
                      {"num_examples", std::int64_t{setting.N}},
                      {"tau", tau}};
    key.learner = learner;
    key.learner_parameters = {{"family", setting.family}};
    key.seed = setting.seed;
    key.stream = setting.stream().path();
    return key;
}

void add_problem(Experiment& experiment,
                 DistilSetting setting,
                 const std::vector<double>& taus,
                 const ProblemsOfDistil& problems) {
    // ψ = 944 of the highest degree at d = 4 would cost more than all the rest.
    const Index largest = experiment.profile == Profile::quick ? 2 : 3;
    for (const std::string_view family : kFamilies) {
        if (family == kHighestDegree && setting.d > largest) {
            continue;
        }
        setting.family = family;
        for (const double tau : taus) {
            experiment.cases.push_back(
                {distil_key(setting, tau, "least_squares"),
                 [setting, tau, problems] { return measure_distil(setting, tau, *problems); }});
        }
    }
}

/// On fewer sequences: exact floors are wanted.
void add_training(Experiment& experiment,
                  DistilSetting setting,
                  const std::vector<double>& taus,
                  const ProblemsOfDistil& problems) {
    const Index updates = experiment.profile == Profile::quick ? 1000 : 6000;
    setting.N = 200;
    for (const char* family : kTrainedFamilies) {
        setting.family = family;
        for (const double tau : {taus.front(), taus.back()}) {
            Case one{distil_key(setting, tau, "trained"), [setting, tau, updates, problems] {
                         return train_beside(setting, tau, updates, *problems);
                     }};
            one.key.learner_parameters["updates"] = std::int64_t{updates};
            experiment.cases.push_back(std::move(one));
        }
    }
}

Experiment make_distil(Profile profile, std::uint64_t seed) {
    const bool quick = profile == Profile::quick;
    Experiment experiment{"distil", profile, seed};
    const auto problems = std::make_shared<DistilProblems>(distil_problem);
    const std::vector<double> taus =
        quick ? std::vector<double>{1.0, 0.25, 0.0625, 0.015625}
              : std::vector<double>{4.0, 2.0, 1.0, 0.5, 0.25, 0.125, 0.0625, 0.03125, 0.015625};
    for (const Index d : quick ? std::vector<Index>{2, 3} : std::vector<Index>{2, 3, 4}) {
        for (const Index n : quick ? std::vector<Index>{4, 16} : std::vector<Index>{3, 4, 8, 32}) {
            const DistilSetting setting{d, n, quick ? 1000 : 4000, "", seed};
            add_problem(experiment, setting, taus, problems);
            if (d <= kLargestTrained && n == 4) {
                add_training(experiment, setting, taus, problems);
            }
        }
    }
    return experiment;
}

}  // namespace

ExperimentEntry distil() {
    return {.id = "distil",
            .summary = "the best linear layer in place of a softmax head, against the temperature",
            .quick_seconds = 4.0,
            .full_seconds = 120.0,
            .make = make_distil,
            .text = distil_text,
            .derive_numbered = distil_derived};
}

}  // namespace attest

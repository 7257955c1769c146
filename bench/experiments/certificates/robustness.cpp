#include "bench/experiments/certificates/robustness_problem.hpp"
#include "bench/experiments/certificates/robustness_report.hpp"
#include "bench/experiments/entries.hpp"
#include "core/features/predict.hpp"
#include "core/solve/orthogonal.hpp"

#include <array>
#include <cmath>

namespace attest {

// How far a layer learned from data that hardly identify it errs on other inputs: four ways of
// losing the certificate by degrees, Gaussian inputs as the other distribution.
//
// Expected outcome: the error on fresh data of the same distribution shows nothing; out of
// distribution it grows with tr(Λ_ood Λ_D⁻¹) by many orders of magnitude, as predicted by
// σ²·o·tr(Λ_ood Λ_D⁻¹)/N. A ridge caps it at about the error of the zero function.

namespace {

/// A learned P and the ridge it was learned with.
struct Learned {
    Matrix P;
    double ridge = 0.0;
};

Learned fit(const RobustnessProblem& problem, Index d, double ridge) {
    return {fit_svd(problem.factor, d, {ridge}).P, ridge};
}

Learned fit_minimum_norm(const RobustnessProblem& problem, const RobustnessSetting& setting) {
    return fit(problem, setting.d, 0.0);
}

/// σ²·o·ψ/(N‖P‖²): Bayes for coefficients of the truth's mean square, which no learner knows.
Learned fit_known_ridge(const RobustnessProblem& problem, const RobustnessSetting& setting) {
    const double norm = coefficient_norm(problem.truth, setting.d, Norm::sym);
    const auto unknowns = static_cast<double>(problem.truth.size());
    return fit(
        problem,
        setting.d,
        setting.sigma * setting.sigma * unknowns / (static_cast<double>(setting.N) * norm * norm));
}

/// The ridge of least risk on held-out data of the same distribution.
Learned learn_ridge_validated(const RobustnessProblem& problem, const RobustnessSetting& setting) {
    const DatasetSource validation(problem.validation);
    Learned best = fit(problem, setting.d, 0.0);
    double least = empirical_risk(best.P, validation).risk;
    for (int exponent = -12; exponent <= 2; ++exponent) {
        const Learned other = fit(problem, setting.d, std::pow(10.0, exponent));
        const double risk = empirical_risk(other.P, validation).risk;
        if (risk < least) {
            least = risk;
            best = other;
        }
    }
    return best;
}

struct Learner {
    std::string_view name;
    Learned (*learn)(const RobustnessProblem&, const RobustnessSetting&);
};

constexpr std::array kRobustnessLearners{Learner{"minimum_norm", fit_minimum_norm},
                                         Learner{"ridge", fit_known_ridge},
                                         Learner{"ridge_validated", learn_ridge_validated}};

CaseOutcome measure(const Learner& learner,
                    const RobustnessSetting& setting,
                    RobustnessProblems& problems) {
    const std::shared_ptr<const RobustnessProblem> problem = problems.of(setting);
    const Learned learned = learner.learn(*problem, setting);
    const Matrix& Lambda = problem->elsewhere;
    const Matrix zero = Matrix::Zero(learned.P.rows(), learned.P.cols());
    const double power = squared_distance(problem->truth, zero, Lambda);
    const double in_power = squared_distance(problem->truth, zero, problem->fresh);
    const double ood = squared_distance(learned.P, problem->truth, Lambda);
    CaseOutcome outcome;
    outcome.metrics["in_distribution"] = {
        squared_distance(learned.P, problem->truth, problem->fresh) / in_power};
    outcome.metrics["ood"] = {ood / power};
    outcome.metrics["lambda_min"] = {problem->spectrum.lambda_min,
                                     problem->spectrum.lambda_min_bound()};
    outcome.metrics["rank"] = {static_cast<double>(problem->spectrum.rank)};
    outcome.metrics["ridge"] = {learned.ridge};
    if (problem->predicted && learner.name == "minimum_norm") {
        const NoiseExcess& predicted = *problem->predicted;
        outcome.metrics["predicted"] = {predicted.mean / power};
        outcome.metrics["predicted_deviation"] = {predicted.deviation / power};
        outcome.metrics["factor"] = {ood / predicted.mean};
    }
    return outcome;
}

Case robustness_case(const Learner& learner,
                     const RobustnessSetting& setting,
                     const std::shared_ptr<RobustnessProblems>& problems) {
    CaseKey key;
    key.task = "robustness";
    key.parameters = {{"violation", std::string(name_of(kViolations, setting.violation))},
                      {"degree", setting.degree},
                      {"d", std::int64_t{setting.d}},
                      {"n", std::int64_t{setting.n}},
                      {"num_examples", std::int64_t{setting.N}},
                      {"sigma", setting.sigma}};
    key.learner = learner.name;
    key.seed = setting.seed;
    key.stream = setting.stream().path();
    key.repetition = setting.repetition;
    return {key, [&learner, setting, problems] { return measure(learner, setting, *problems); }};
}

Experiment make_robustness(Profile profile, std::uint64_t seed) {
    const bool quick = profile == Profile::quick;
    const std::vector<double> degrees =
        quick ? std::vector<double>{1.0, 0.3, 0.1, 0.03, 0.01, 0.0}
              : std::vector<double>{1.0, 0.5, 0.3, 0.2, 0.1, 0.05, 0.03, 0.02, 0.01, 0.0};
    Experiment experiment{"robustness", profile, seed};
    const auto problems = std::make_shared<RobustnessProblems>(robustness_problem);
    for (const auto& [violation, name] : kViolations) {
        for (const double degree : degrees) {
            for (Index repetition = 0; repetition < (quick ? 5 : 20); ++repetition) {
                RobustnessSetting setting;
                setting.violation = violation;
                setting.degree = degree;
                setting.repetition = repetition;
                setting.seed = seed;
                for (const Learner& learner : kRobustnessLearners) {
                    experiment.cases.push_back(robustness_case(learner, setting, problems));
                }
            }
        }
    }
    return experiment;
}

}  // namespace

ExperimentEntry robustness() {
    return {.id = "robustness",
            .summary =
                "four ways of losing identifiability: the certificate predicts the error elsewhere",
            .quick_seconds = 11.0,
            .full_seconds = 40.0,
            .make = make_robustness,
            .text = robustness_text,
            .derive_numbered = robustness_derived};
}

}  // namespace attest

#include "bench/experiments/entries.hpp"
#include "bench/experiments/memory/fig2_exact_rank.hpp"
#include "bench/experiments/memory/fig2_problem.hpp"
#include "bench/experiments/memory/fig2_report.hpp"
#include "core/features/predict.hpp"
#include "core/rng/sample.hpp"
#include "core/solve/gradient_descent.hpp"
#include "core/solve/orthogonal.hpp"
#include "core/solve/random_erm.hpp"

#include <array>
#include <cmath>

namespace attest {

// Figure 2 of arXiv 2410.10101: associative memory. Data mix Gaussian and unitary sequences; the
// paper's claim is that the distance between the learned and the true coefficients falls as
// λ_min(Λ_D) grows.
//
// Expected outcome: λ_min falls to 0 with the number of Gaussian sequences, and is exactly 0 on
// unitary data alone (nullity 2d(d²−1)/3). Whether the distance follows depends on which minimiser
// a learner returns and on which teacher made the labels: the minimum-norm fit of the paper's own
// teacher is exact even at λ_min = 0.

namespace {

constexpr double kRidge = 1e-3;
constexpr Index kDescentSteps = 1000;

Stream fig2_stream(const Fig2Setting& setting, std::string_view learner) {
    return Stream(setting.seed).child("fig2").child(learner).child(setting.repetition);
}

Matrix minimum_norm(const Fig2Problem& problem, Fig2Labels labels) {
    return fit_svd(problem.with_labels(labels), problem.fresh.d(), {}).P;
}

Matrix learn_minimum_norm(const Fig2Problem& problem, const Fig2Setting& /*setting*/) {
    return minimum_norm(problem, Fig2Labels::exact);
}

Matrix learn_from_noise(const Fig2Problem& problem, const Fig2Setting& /*setting*/) {
    return minimum_norm(problem, Fig2Labels::noisy);
}

Matrix learn_from_printed(const Fig2Problem& problem, const Fig2Setting& /*setting*/) {
    return minimum_norm(problem, Fig2Labels::printed);
}

Matrix learn_random_erm(const Fig2Problem& problem, const Fig2Setting& setting) {
    return fit_random_erm(problem.with_labels(Fig2Labels::exact),
                          problem.fresh.d(),
                          {},
                          1.0,
                          fig2_stream(setting, "random_erm"))
        .P;
}

Matrix learn_ridge(const Fig2Problem& problem, const Fig2Setting& /*setting*/) {
    return fit_svd(problem.with_labels(Fig2Labels::exact), problem.fresh.d(), {kRidge}).P;
}

Matrix learn_gradient_descent(const Fig2Problem& problem, const Fig2Setting& setting) {
    const Stream stream = fig2_stream(setting, "gradient_descent");
    const Matrix start =
        grid_matrix(grid_normal(), problem.truth.rows(), problem.truth.cols(), stream);
    return gradient_descent(problem.with_labels(Fig2Labels::exact), start, {kDescentSteps});
}

struct Fig2Learner {
    std::string_view name;
    Matrix (*learn)(const Fig2Problem&, const Fig2Setting&);
    bool noisy = false;
};

constexpr std::array kFig2Learners{
    Fig2Learner{"minimum_norm", learn_minimum_norm},
    Fig2Learner{"random_erm", learn_random_erm},
    Fig2Learner{"ridge", learn_ridge},
    Fig2Learner{"gradient_descent", learn_gradient_descent},
    Fig2Learner{"minimum_norm_noise", learn_from_noise, true},
    Fig2Learner{"minimum_norm_printed", learn_from_printed},
};

/// σ √(o · tr Λ⁺ / N): the root mean square of ‖P̂ − P‖_F under label noise σ, if the noise is all
/// that is wrong.
double predicted_distance(const Fig2Problem& problem, double sigma) {
    const NumericalSpectrum& spectrum = problem.spectrum;
    const double trace = spectrum.sigma.head(spectrum.rank).array().square().inverse().sum();
    return sigma * std::sqrt(static_cast<double>(problem.truth.cols()) * trace /
                             static_cast<double>(problem.factor.num_examples));
}

CaseOutcome measure(const Fig2Learner& learner,
                    const Fig2Setting& setting,
                    Fig2Problems& problems) {
    const std::shared_ptr<const Fig2Problem> problem = problems.of(setting);
    const Matrix P = learner.learn(*problem, setting);
    const double distance = (P - problem->truth).norm();
    CaseOutcome outcome;
    outcome.metrics["distance"] = {distance};
    outcome.metrics["relative_distance"] = {distance / problem->truth.norm()};
    outcome.metrics["ood_relative"] = {empirical_risk(P, DatasetSource(problem->fresh)).relative};
    outcome.metrics["lambda_min"] = {problem->spectrum.lambda_min,
                                     problem->spectrum.lambda_min_bound()};
    outcome.metrics["psi"] = {static_cast<double>(problem->spectrum.psi)};
    outcome.metrics["rank"] = {static_cast<double>(problem->spectrum.rank)};
    if (learner.noisy) {
        outcome.metrics["predicted_distance"] = {predicted_distance(*problem, setting.sigma)};
    }
    return outcome;
}

Case learner_case(const Fig2Learner& learner,
                  const Fig2Setting& setting,
                  const std::shared_ptr<Fig2Problems>& problems) {
    CaseKey key = fig2_key(setting);
    key.learner = learner.name;
    if (learner.name == "ridge") {
        key.learner_parameters = {{"penalty", kRidge}};
    } else if (learner.name == "gradient_descent") {
        key.learner_parameters = {{"steps", std::int64_t{kDescentSteps}}};
    } else if (learner.noisy) {
        key.learner_parameters = {{"sigma", setting.sigma}};
    }
    key.stream = fig2_stream(setting, learner.name).path();
    return {key, [&learner, setting, problems] { return measure(learner, setting, *problems); }};
}

/// Numbers of Gaussian sequences, from 5 % of N down to none, denser where the rank is about to
/// drop: unitary data lack 40 dimensions at d = 4 and every Gaussian sequence gives back one.
std::vector<Index> gaussian_counts(Index N, Profile profile) {
    if (profile == Profile::quick) {
        return {N / 20, 100, 60, 50, 45, 40, 30, 20, 10, 0};
    }
    return {N / 20, N / 25, N / 50, N / 100, 120, 100, 80, 60, 50, 45, 42, 40, 38, 30, 20, 10, 0};
}

Experiment make_fig2(Profile profile, std::uint64_t seed) {
    const bool quick = profile == Profile::quick;
    const Index N = quick ? 4096 : 16384;
    const Index repetitions = quick ? 5 : 10;
    Experiment experiment{"fig2", profile, seed};
    const auto problems = std::make_shared<Fig2Problems>(fig2_problem);
    for (const Index count : gaussian_counts(N, profile)) {
        for (Index repetition = 0; repetition < repetitions; ++repetition) {
            for (const char* teacher : {"paper", "random"}) {
                const Fig2Setting setting{4, N, count, teacher, 0.1, seed, repetition};
                for (const Fig2Learner& learner : kFig2Learners) {
                    // Equation 14 speaks of the paper's teacher only.
                    if (learner.name != "minimum_norm_printed" || setting.teacher == "paper") {
                        experiment.cases.push_back(learner_case(learner, setting, problems));
                    }
                }
            }
        }
    }
    for (Case& exact : fig2_exact_rank_cases(seed)) {
        experiment.cases.push_back(std::move(exact));
    }
    return experiment;
}

}  // namespace

ExperimentEntry fig2() {
    return {.id = "fig2",
            .summary = "associative memory: identifiability decides which minimiser generalises",
            .quick_seconds = 15.0,
            .full_seconds = 140.0,
            .make = make_fig2,
            .text = fig2_text,
            .derive_numbered = fig2_derived};
}

}  // namespace attest

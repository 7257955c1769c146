#include "bench/experiments/certificates/sample_complexity_report.hpp"
#include "bench/experiments/certificates/sampling_problem.hpp"
#include "bench/experiments/entries.hpp"
#include "core/certify/noise_excess.hpp"
#include "core/moments/triangular_factor.hpp"
#include "core/solve/orthogonal.hpp"

#include <array>
#include <cmath>
#include <string_view>

namespace attest {

// Theorem 2.2 of arXiv 2410.10101: the excess risk of least squares over the best layer, against
// the number of sequences N and the token dimension d, for a planted layer with label noise, for a
// softmax head and for a random cubic function that no layer computes.
//
// Expected outcome: N·excess tends to a constant, E[‖r‖² HᵀΛ⁻¹H] with the residual r of the best
// layer: σ²·d·ψ ≈ σ²d⁴/2 for noise, a few times its counterpart for the other two. Near N = ψ the
// excess is far above that.

namespace {

constexpr std::array kMultiples{0.5, 1.0, 1.25, 1.5, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0};

CaseOutcome measure(const SamplingSetting& setting, Index N, SamplingProblems& problems) {
    const std::shared_ptr<const SamplingProblem> problem = problems.of(setting);
    const Matrix& Lambda = problem->Lambda;
    const TriangularFactor factor = triangular_factor(TaskSource(*problem->task, 0, N));
    const LeastSquaresFit fit = fit_svd(factor, setting.d, {});
    const auto psi = static_cast<double>(feature_dim(setting.d));
    // An estimated reference is off by an independent error, whose mean square adds to the excess.
    const double excess = squared_distance(fit.P, problem->best, Lambda) - problem->reference_error;
    const double scaled = static_cast<double>(N) * excess;
    CaseOutcome outcome;
    const double d4 = std::pow(static_cast<double>(setting.d), 4);
    outcome.metrics["excess"] = {excess};
    outcome.metrics["reference_excess"] = {problem->reference_error};
    outcome.metrics["n_excess_over_d4"] = {scaled / d4};
    outcome.metrics["inflation"] = {scaled / (psi * problem->floor)};
    outcome.metrics["floor"] = {problem->floor};
    outcome.metrics["limit_over_d4"] = {problem->limit / d4};
    outcome.metrics["limit_over_d4_standard_error"] = {problem->limit_error / d4};
    outcome.metrics["limit_inflation"] = {problem->limit / (psi * problem->floor)};
    outcome.metrics["rank"] = {static_cast<double>(fit.rank)};
    if (setting.labels == "noise" && fit.status == SolveStatus::unique) {
        outcome.metrics["predicted"] = {
            noise_excess(factor, Lambda, kSamplingNoise, setting.d).mean};
    }
    return outcome;
}

Case sample_case(const SamplingSetting& setting,
                 double multiple,
                 const std::shared_ptr<SamplingProblems>& problems) {
    const Index psi = feature_dim(setting.d);
    const auto N = static_cast<Index>(std::llround(multiple * static_cast<double>(psi)));
    CaseKey key;
    key.task = setting.labels == "noise" ? "random_linear_attention" : "iid_entries";
    key.parameters = {{"labels", setting.labels},
                      {"d", std::int64_t{setting.d}},
                      {"n", std::int64_t{kSamplingTokens}},
                      {"n_over_psi", multiple},
                      {"num_examples", std::int64_t{N}}};
    if (setting.reference_size > 0) {
        key.parameters["reference_size"] = std::int64_t{setting.reference_size};
    }
    key.learner = "minimum_norm";
    key.seed = setting.seed;
    key.stream = sampling_stream(setting).path();
    key.repetition = setting.repetition;
    return {key, [=] { return measure(setting, N, *problems); }};
}

Experiment make_sample_complexity(Profile profile, std::uint64_t seed) {
    const bool quick = profile == Profile::quick;
    const std::vector<Index> sizes =
        quick ? std::vector<Index>{2, 3, 4, 5} : std::vector<Index>{2, 3, 4, 5, 6};
    Experiment experiment{"sample_complexity", profile, seed};
    const auto problems = std::make_shared<SamplingProblems>(sampling_problem);
    for (const char* labels : {"noise", "softmax", "token_cubic"}) {
        // Its population is a sample of 1024ψ, which must be larger than what is measured by it.
        const bool softmax = std::string_view(labels) == "softmax";
        for (const Index d : sizes) {
            for (Index repetition = 0; repetition < (quick ? 8 : 20); ++repetition) {
                const Index reference = softmax ? 1024 * feature_dim(d) : 0;
                const SamplingSetting setting{labels, d, repetition, reference, seed};
                for (const double multiple : kMultiples) {
                    if (softmax && multiple > 64.0) {
                        continue;
                    }
                    experiment.cases.push_back(sample_case(setting, multiple, problems));
                }
            }
        }
    }
    return experiment;
}

}  // namespace

ExperimentEntry sample_complexity() {
    return {.id = "sample_complexity",
            .summary = "Theorem 2.2: excess risk against examples and token dimension",
            .quick_seconds = 18.0,
            .full_seconds = 80.0,
            .make = make_sample_complexity,
            .text = sample_complexity_text,
            .derive_numbered = sample_complexity_derived};
}

}  // namespace attest

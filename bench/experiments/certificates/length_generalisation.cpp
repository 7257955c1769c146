#include "bench/experiments/certificates/length_generalisation.hpp"

#include "bench/experiments/certificates/length_problem.hpp"
#include "core/base/text.hpp"
#include "core/certify/minimum_eigenvalue.hpp"
#include "core/certify/noise_excess.hpp"
#include "core/features/predict.hpp"
#include "core/solve/orthogonal.hpp"
#include "tasks/gaussian_population.hpp"

namespace attest {

namespace {

CaseOutcome measure(const LengthSetting& setting) {
    const LengthTraining training = length_training(setting);
    const Dataset& data = training.data;
    const TriangularFactor factor = triangular_factor(LengthSource(data, setting.features));
    const NumericalSpectrum spectrum = numerical_spectrum(factor);
    const Matrix P = fit_svd(factor, setting.d, {}).P;
    CaseOutcome outcome;
    outcome.metrics["train_relative"] = {
        empirical_risk(P, LengthSource(data, setting.features)).relative};
    outcome.metrics["lambda_min"] = {spectrum.lambda_min, spectrum.threshold * spectrum.threshold};
    outcome.metrics["sigma"] = {training.sigma};
    outcome.metrics["rank"] = {static_cast<double>(spectrum.rank)};
    outcome.metrics["psi"] = {static_cast<double>(spectrum.psi)};
    const bool predictable = setting.labels == LengthLabels::linear_noisy &&
                             setting.features == LengthFeatures::sum && spectrum.nullity() == 0;
    const Matrix truth = length_truth(setting);
    for (const Index n : kTestLengths) {
        const Dataset test = length_test(setting, n);
        outcome.metrics[formatted("error_n{}", n)] = {
            empirical_risk(P, LengthSource(test, setting.features)).relative};
        if (predictable) {
            const Matrix& Lambda = gaussian_second_moment(setting.d, n);
            const double power = squared_distance(truth, Matrix::Zero(P.rows(), P.cols()), Lambda);
            outcome.metrics[formatted("predicted_n{}", n)] = {
                noise_excess(factor, Lambda, training.sigma, setting.d).mean / power};
        }
    }
    return outcome;
}

std::string length_text(std::pair<Index, Index> lengths) {
    return lengths.first == lengths.second ? std::to_string(lengths.first)
                                           : formatted("{}..{}", lengths.first, lengths.second);
}

Case length_case(const LengthSetting& setting) {
    CaseKey key;
    key.task = "length_generalisation";
    key.parameters = {{"labels", std::string(name_of(kLengthLabels, setting.labels))},
                      {"train", length_text(setting.train)},
                      {"d", std::int64_t{setting.d}},
                      {"num_examples", std::int64_t{setting.N}}};
    key.learner = "minimum_norm";
    key.learner_parameters = {
        {"features", std::string(name_of(kLengthFeatures, setting.features))}};
    key.seed = setting.seed;
    key.stream = setting.stream().path();
    key.repetition = setting.repetition;
    return {key, [setting] { return measure(setting); }};
}

}  // namespace

Experiment make_length_generalisation(Profile profile, std::uint64_t seed) {
    const bool quick = profile == Profile::quick;
    Experiment experiment{"length_generalisation", profile, seed};
    for (const auto& [labels, label_name] : kLengthLabels) {
        for (const auto& [features, feature_name] : kLengthFeatures) {
            for (const std::pair<Index, Index>& train :
                 {std::pair<Index, Index>{1, 1}, {4, 4}, {16, 16}, {2, 16}}) {
                for (Index repetition = 0; repetition < (quick ? 5 : 20); ++repetition) {
                    LengthSetting setting;
                    setting.labels = labels;
                    setting.features = features;
                    setting.train = train;
                    setting.N = quick ? 800 : 4000;
                    setting.repetition = repetition;
                    setting.seed = seed;
                    experiment.cases.push_back(length_case(setting));
                }
            }
        }
    }
    return experiment;
}

}  // namespace attest

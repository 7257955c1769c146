#include "bench/experiments/training/training_cases.hpp"

#include "bench/experiments/frame/timer.hpp"
#include "core/features/coefficients.hpp"
#include "core/heads/split_heads.hpp"
#include "core/moments/triangular_factor.hpp"
#include "core/solve/orthogonal.hpp"
#include "core/train/heads_moments.hpp"
#include "core/train/heads_residual.hpp"
#include "core/train/linear_layers.hpp"
#include "core/train/residuals.hpp"
#include "core/train/transformer.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

namespace attest {

namespace {

constexpr Index kMomentsUpTo = 4;       // memory of the moments grows as d⁶
constexpr int kTransformerThreads = 2;  // its results do not depend on them

template <class Scalar>
std::unique_ptr<TrainedModel<Scalar>> model_of(const TrainedLearner& learner,
                                               const PrefixData<Scalar>& data) {
    if (learner.name == "layers") {
        return std::make_unique<LinearLayers<Scalar>>(data, learner.size);
    }
    if (learner.name == "transformer") {
        TransformerShape shape;
        shape.layers = learner.size;
        return std::make_unique<Transformer<Scalar>>(data, shape, kTransformerThreads);
    }
    require(learner.name == "heads", "training_case: got no learner {}", learner.name);
    if (data.d <= kMomentsUpTo) {
        return std::make_unique<HeadsMoments<Scalar>>(data, learner.size);
    }
    return std::make_unique<HeadsResidual<Scalar>>(data, learner.size);
}

/// "loss_000016": sorted by name is sorted by update.
std::string curve_name(Index update) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "loss_%06lld", static_cast<long long>(update));
    return text.data();
}

Stream learner_stream(const TrainingSetting& setting, const TrainedLearner& learner) {
    return Stream(setting.seed)
        .child("training")
        .child(setting.repetition)
        .child(learner.name)
        .child(learner.size);
}

template <class Scalar>
CaseOutcome measure(const TrainingSetting& setting,
                    const TrainedLearner& learner,
                    TrainingProblems& problems) {
    const std::shared_ptr<const TrainingProblem> problem = problems.of(setting);
    const PrefixData<Scalar> data = prefix_data<Scalar>(problem->training);
    const PrefixData<Scalar> held_out = prefix_data<Scalar>(problem->held_out);
    const Timer timer;
    const std::unique_ptr<TrainedModel<Scalar>> model = model_of(learner, data);
    CaseOutcome outcome;
    Metrics& metrics = outcome.metrics;
    metrics["preparation_seconds"] = {timer.seconds(), {}, "s"};
    TrainOptions options;
    options.optimiser.rate = learner.rate;
    options.updates = learner.updates;
    options.batch_size = learner.batch_size;
    // A transformer's losses on the way cost as much as updates do.
    options.curve_points = learner.name == "transformer" ? 20 : 40;
    const TrainResult<Scalar> result =
        train(*model, held_out, options, learner_stream(setting, learner));
    metrics["training_seconds"] = {result.seconds, {}, "s"};
    metrics["updates"] = {static_cast<double>(result.updates)};
    metrics["diverged"] = {result.status == TrainStatus::diverged ? 1.0 : 0.0};
    for (const LossPoint& point : result.curve) {
        metrics[curve_name(point.update)] = {point.loss};
    }
    if (result.status == TrainStatus::finished) {
        metrics["held_out_relative"] = {result.curve.back().loss};
        metrics["train_relative"] = {model->loss(result.theta, data)};
    }
    outcome.message = result.note;
    return outcome;
}

CaseOutcome run_algorithm_1(const TrainingSetting& setting,
                            Index sequences,
                            TrainingProblems& problems) {
    const std::shared_ptr<const TrainingProblem> problem = problems.of(setting);
    const Dataset given = subset(problem->training, 0, sequences);
    const Timer timer;
    const LeastSquaresFit fit = fit_qr(triangular_factor(DatasetSource(given)), setting.d, {});
    CaseOutcome outcome;
    if (fit.status == SolveStatus::refused) {
        outcome.status = RowStatus::refused;
        outcome.message = fit.note;
        return outcome;
    }
    const Matrix P = coefficients(split_heads(fit.P, setting.d).heads);
    Metrics& metrics = outcome.metrics;
    metrics["training_seconds"] = {timer.seconds(), {}, "s"};
    metrics["train_relative"] = {relative_loss(P, prefix_data<double>(given))};
    metrics["held_out_relative"] = {relative_loss(P, prefix_data<double>(problem->held_out))};
    return outcome;
}

}  // namespace

Case training_case(const TrainingSetting& setting,
                   const TrainedLearner& learner,
                   const std::shared_ptr<TrainingProblems>& problems) {
    CaseKey key = training_key(setting);
    key.learner = learner.name;
    key.learner_parameters = {
        {learner.name == "heads" ? "heads" : "layers", std::int64_t{learner.size}},
        {"rate", learner.rate},
        {"batch_size", std::int64_t{learner.batch_size}},
        {"updates", std::int64_t{learner.updates}}};
    key.precision = learner.precision;
    key.stream = learner_stream(setting, learner).path();
    return {key, [setting, learner, problems] {
                return learner.precision == "float" ? measure<float>(setting, learner, *problems)
                                                    : measure<double>(setting, learner, *problems);
            }};
}

Case algorithm_1_case(const TrainingSetting& setting,
                      Index sequences,
                      const std::shared_ptr<TrainingProblems>& problems) {
    CaseKey key = training_key(setting);
    key.learner = "algorithm_1";
    key.learner_parameters = {{"sequences", std::int64_t{sequences}}};
    return {key, [setting, sequences, problems] {
                return run_algorithm_1(setting, sequences, *problems);
            }};
}

std::vector<Index> algorithm_1_sequences(const TrainingSetting& setting) {
    const Index psi = feature_dim(setting.d);
    std::vector<Index> counts;
    if (psi <= kTrainingLength) {
        counts.push_back(1);
    }
    counts.push_back(
        std::min(setting.num_sequences, (2 * psi + kTrainingLength - 1) / kTrainingLength));
    if (psi < 300) {
        counts.push_back(setting.num_sequences);
    }
    counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
    return counts;
}

}  // namespace attest

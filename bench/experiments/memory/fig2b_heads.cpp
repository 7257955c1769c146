#include "bench/experiments/memory/fig2b_heads.hpp"

#include "core/train/heads_residual.hpp"
#include "core/train/train.hpp"

#include <cmath>

namespace attest {

namespace {

constexpr double kRate = 0.01;
constexpr Index kHeadsBatch = 32;

Stream training_stream(const Fig2Setting& setting, Index heads) {
    return Stream(setting.seed)
        .child("fig2b")
        .child("training")
        .child(setting.repetition)
        .child(heads);
}

CaseOutcome measure(const Fig2Setting& setting,
                    Index heads,
                    Index updates,
                    Fig2Problems& problems) {
    const std::shared_ptr<const Fig2Problem> problem = problems.of(setting);
    const PrefixData<double> data = prefix_data<double>(problem->data);
    const HeadsResidual<double> model(data, heads);
    TrainOptions options;
    options.optimiser.rate = kRate;
    options.updates = updates;
    options.batch_size = kHeadsBatch;
    options.curve_points = 1;
    const TrainResult<double> result =
        train(model, prefix_data<double>(problem->fresh), options, training_stream(setting, heads));
    CaseOutcome outcome;
    Metrics& metrics = outcome.metrics;
    metrics["lambda_min"] = {problem->spectrum.lambda_min, problem->spectrum.lambda_min_bound()};
    metrics["psi"] = {static_cast<double>(problem->spectrum.psi)};
    metrics["rank"] = {static_cast<double>(problem->spectrum.rank)};
    metrics["training_seconds"] = {result.seconds, {}, "s"};
    metrics["diverged"] = {result.status == TrainStatus::diverged ? 1.0 : 0.0};
    if (result.status == TrainStatus::finished) {
        const Matrix P = HeadMap<double>(data.d, data.o, heads).coefficients(result.theta);
        const double distance = (P - problem->truth).norm();
        metrics["train_relative"] = {model.loss(result.theta, data)};
        metrics["distance"] = {distance};
        metrics["relative_distance"] = {distance / problem->truth.norm()};
        metrics["ood_relative"] = {result.curve.back().loss};
        if (problem->spectrum.rank == problem->spectrum.psi) {
            // Lemma A.7 for p itself: λ_min ‖p̂ − p‖² ≤ mean squared error.
            const double error = metrics["train_relative"].value * data.label_power;
            metrics["relative_bound"] = {std::sqrt(error / problem->spectrum.lambda_min) /
                                         problem->truth.norm()};
        }
    }
    outcome.message = result.note;
    return outcome;
}

}  // namespace

Case memory_training_case(const Fig2Setting& setting,
                          Index heads,
                          Index updates,
                          const std::shared_ptr<Fig2Problems>& problems) {
    CaseKey key = fig2_key(setting);
    key.learner = "heads";
    key.learner_parameters = {{"heads", std::int64_t{heads}},
                              {"rate", kRate},
                              {"batch_size", std::int64_t{kHeadsBatch}},
                              {"updates", std::int64_t{updates}}};
    key.stream = training_stream(setting, heads).path();
    return {key, [=] { return measure(setting, heads, updates, *problems); }};
}

}  // namespace attest

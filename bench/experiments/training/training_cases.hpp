#pragma once

#include "bench/experiments/training/training_problem.hpp"
#include "core/train/train.hpp"
#include "record/experiment.hpp"

#include <memory>
#include <string>

namespace attest {

/// A learner that gradient descent trains, and how.
struct TrainedLearner {
    std::string name = "heads";  ///< heads, layers or transformer
    Index size = 1;              ///< number of heads or of layers
    double rate = 0.01;
    Index batch_size = 32;
    Index updates = 6400;
    std::string precision = "double";  ///< or "float"
};

/// Trains by Adam with half a cosine to 0. Metrics: relative mean squared errors train_relative and
/// held_out_relative after the last update, updates done, diverged (0 or 1), training_seconds,
/// preparation_seconds (moments of the data), and the curve as loss_000000, loss_000016, …: the
/// held-out error after so many updates. Heads are trained through moments up to d = 4, beyond
/// through residuals. A training that diverged says so in the message, too.
[[nodiscard]] Case training_case(const TrainingSetting& setting,
                                 const TrainedLearner& learner,
                                 const std::shared_ptr<TrainingProblems>& problems);

/// Algorithm 1 on the first sequences only: QR, then the SVD into heads, errors of the heads.
/// Metrics: train_relative, held_out_relative, training_seconds.
[[nodiscard]] Case algorithm_1_case(const TrainingSetting& setting,
                                    Index sequences,
                                    const std::shared_ptr<TrainingProblems>& problems);

/// How many sequences Algorithm 1 gets: one where its prefixes determine the coefficients, enough
/// for 2ψ prefixes, and all where ψ is below 300; ascending and distinct.
[[nodiscard]] std::vector<Index> algorithm_1_sequences(const TrainingSetting& setting);

}  // namespace attest

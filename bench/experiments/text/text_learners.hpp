#pragma once

#include "bench/experiments/text/learning_problem.hpp"
#include "record/experiment.hpp"
#include "record/profile.hpp"

#include <string>

namespace attest {

/// What a learner made of the training part; whatever it chose, it chose on the validation part.
struct TextLearned {
    Matrix test;  ///< outputs on the test part, o×N
    double train_risk = 0.0;
    double validation_risk = 0.0;
    Metrics chosen = {};  ///< the ridge, the weight of a table, …
};

/// Effort of the learners that go step by step.
struct DescentEffort {
    Index head_updates = 3000;
    Index softmax_updates = 6000;
    double rate = 0.01;
};

/// Zero, the mean of the labels; by PPMI that is the mean word.
[[nodiscard]] TextLearned learn_mean(const LearningProblem& problem);
[[nodiscard]] TextLearned learn_bigram(const LearningProblem& problem);
[[nodiscard]] TextLearned learn_trigram(const LearningProblem& problem);
/// Least squares on [z, mean of the window, 1], with a ridge.
[[nodiscard]] TextLearned learn_linear(const LearningProblem& problem);
/// All layers of linear attention: least squares on the cubic features, without and with a ridge.
[[nodiscard]] TextLearned learn_least_squares(const LearningProblem& problem);
[[nodiscard]] TextLearned learn_ridge(const LearningProblem& problem);
/// H heads by Adam along the full gradient, cosine decay; the result of the last update, or the
/// best on the validation part.
[[nodiscard]] TextLearned learn_heads(const LearningProblem& problem,
                                      const LearningSetting& setting,
                                      Index num_heads,
                                      const DescentEffort& effort);
/// H softmax heads by Adam on minibatches, cosine decay.
[[nodiscard]] TextLearned learn_softmax(const LearningProblem& problem,
                                        const LearningSetting& setting,
                                        Index num_heads,
                                        const DescentEffort& effort);

}  // namespace attest

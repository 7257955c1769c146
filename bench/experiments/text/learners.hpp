#pragma once

#include "bench/experiments/text/ngrams.hpp"
#include "bench/experiments/text/one_hot_layer.hpp"
#include "core/moments/moment_sums.hpp"
#include "record/experiment.hpp"
#include "record/parameter.hpp"
#include "record/row.hpp"
#include "tasks/text/text_task.hpp"

#include <cstdint>
#include <functional>
#include <string>

namespace attest {

struct LearningSetting {
    std::string path;
    Index d = 8;
    TextLabels labels = TextLabels::ppmi;
    Index repetition = 0;  ///< chooses four fifths of the training windows, and starts
    std::uint64_t seed = 0;

    friend bool operator==(const LearningSetting&, const LearningSetting&) = default;

    [[nodiscard]] Stream stream() const;
};

/// One part of the text.
struct LearningPart {
    Dataset data;
    Moments moments;
    std::vector<Trigram> trigrams;
};

struct LearningProblem {
    TextTask task;
    LearningPart train;
    LearningPart validation;
    LearningPart test;
};

[[nodiscard]] LearningProblem learning_problem(const LearningSetting& setting);

/// What predictions (o×N) are worth.
struct Score {
    double risk = 0.0;            ///< relative to E‖y‖²
    double accuracy = 0.0;        ///< how often the word nearest to the output comes next; <unk> is
                                  ///< no answer, and windows before it count as wrong
    double standard_error = 0.0;  ///< of the accuracy, as if windows were independent
};

[[nodiscard]] Score score(const Matrix& predictions,
                          const LearningPart& part,
                          const TextTask& task);

/// The word whose target is nearest to each output, <unk> aside. O(o V N).
[[nodiscard]] std::vector<Index> nearest_words(const Matrix& predictions, const Matrix& targets);

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

/// Tokens of a window.
inline constexpr Index kWideWindow = 4;

struct WideSetting {
    std::string path;
    Index vocabulary = 300;
    Index repetition = 0;  ///< chooses four fifths of the training windows
    std::uint64_t seed = 0;

    friend bool operator==(const WideSetting&, const WideSetting&) = default;
};

struct WideProblem {
    std::vector<WordWindow> train;
    std::vector<WordWindow> validation;
    std::vector<WordWindow> test;
    NgramTables tables;  ///< of the training windows
    Index vocabulary = 0;
    double shared_8grams = 0.0;
};

[[nodiscard]] WideProblem wide_problem(const WideSetting& setting);

/// V numbers for a window, near the next word's unit vector.
using WidePredict = std::function<Vector(const WordWindow&)>;

/// Squared error of unit vectors, whose square is 1, and how often the largest entry but <unk>'s is
/// right; <unk> is never right.
struct WideScore {
    double risk = 0.0;
    double accuracy = 0.0;
};

[[nodiscard]] WideScore wide_score(const std::vector<WordWindow>& windows,
                                   const WidePredict& predict);

/// A learned predictor with its choices, all made on the validation part. The problem must outlive
/// it.
struct WideLearned {
    WidePredict predict;
    Metrics chosen;
};

/// unigram, bigram, trigram; least_norm, ridge (towards zero) or ridge_to_bigram.
[[nodiscard]] WideLearned learn_wide(const WideProblem& problem, const std::string& learner);

}  // namespace attest

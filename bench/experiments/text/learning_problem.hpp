#pragma once

#include "bench/experiments/text/ngrams.hpp"
#include "core/moments/second_moment.hpp"
#include "tasks/text/text_task.hpp"

#include <cstdint>
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

}  // namespace attest

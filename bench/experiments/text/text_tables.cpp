#include "bench/experiments/text/text_learners.hpp"

#include <array>
#include <functional>
#include <limits>

namespace attest {

namespace {

constexpr std::array kTableWeights{0.3, 1.0, 3.0, 10.0, 30.0, 100.0};

using Predict = std::function<Vector(const Trigram&)>;

/// The expected label under a distribution of the next word, for each window: o×N.
Matrix expected_labels(const LearningPart& part, const TextTask& task, const Predict& predict) {
    Matrix words(task.text.size(), std::ssize(part.trigrams));
    for (Index i = 0; i < words.cols(); ++i) {
        words.col(i) = predict(part.trigrams[static_cast<std::size_t>(i)]);
    }
    return task.targets * words;
}

double risk_of(const LearningPart& part, const TextTask& task, const Predict& predict) {
    const Matrix outputs = expected_labels(part, task, predict);
    return (outputs - part.data.y).squaredNorm() / part.data.y.squaredNorm();
}

TextLearned learned_table(const LearningProblem& problem, const Predict& predict) {
    return {expected_labels(problem.test, problem.task, predict),
            risk_of(problem.train, problem.task, predict),
            risk_of(problem.validation, problem.task, predict),
            {}};
}

}  // namespace

TextLearned learn_mean(const LearningProblem& problem) {
    const NgramTables tables(problem.task.text.size(), problem.train.trigrams);
    return learned_table(problem, [&](const Trigram&) { return tables.unigram(); });
}

TextLearned learn_bigram(const LearningProblem& problem) {
    const NgramTables tables(problem.task.text.size(), problem.train.trigrams);
    double least = std::numeric_limits<double>::infinity();
    double best = 0.0;
    for (const double weight : kTableWeights) {
        const double risk = risk_of(problem.validation, problem.task, [&](const Trigram& window) {
            return tables.bigram(window.last, weight);
        });
        if (risk < least) {
            least = risk;
            best = weight;
        }
    }
    TextLearned learned = learned_table(
        problem, [&](const Trigram& window) { return tables.bigram(window.last, best); });
    learned.chosen["bigram_weight"] = {best};
    return learned;
}

TextLearned learn_trigram(const LearningProblem& problem) {
    const NgramTables tables(problem.task.text.size(), problem.train.trigrams);
    double least = std::numeric_limits<double>::infinity();
    Smoothing best;
    for (const double bigram : kTableWeights) {
        for (const double trigram : kTableWeights) {
            const Smoothing tried{bigram, trigram};
            const double risk =
                risk_of(problem.validation, problem.task, [&](const Trigram& window) {
                    return tables.trigram(window.before, window.last, tried);
                });
            if (risk < least) {
                least = risk;
                best = tried;
            }
        }
    }
    TextLearned learned = learned_table(problem, [&](const Trigram& window) {
        return tables.trigram(window.before, window.last, best);
    });
    learned.chosen["bigram_weight"] = {best.bigram};
    learned.chosen["trigram_weight"] = {best.trigram};
    return learned;
}

}  // namespace attest

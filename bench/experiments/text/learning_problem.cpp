#include "bench/experiments/text/learning_problem.hpp"

#include "bench/experiments/text/text_case.hpp"
#include "core/algebra/lapack.hpp"
#include "core/base/error.hpp"
#include "core/moments/moment_sums.hpp"

#include <cmath>

namespace attest {

namespace {

constexpr Index kLearnedWindow = 8;

LearningPart learning_part(const TextTask& task, const std::vector<TextWindow>& windows) {
    LearningPart part;
    part.data = window_dataset(task, windows);
    part.moments = structured_moments(DatasetSource(part.data), {});
    part.trigrams = trigrams_of(task.text, windows);
    return part;
}

}  // namespace

Stream LearningSetting::stream() const {
    return Stream(seed).child("text_learning").child(repetition);
}

LearningProblem learning_problem(const LearningSetting& setting) {
    TextOptions options;
    options.corpus.path = setting.path;
    options.d = setting.d;
    options.n = kLearnedWindow;
    options.labels = setting.labels;
    options.seed = setting.seed + static_cast<std::uint64_t>(setting.repetition);
    LearningProblem problem;
    problem.task = experiment_text(options);
    std::vector<TextWindow> train = ordered_windows(problem.task, TextPart::train);
    train.resize(train.size() - train.size() / 5);
    problem.train = learning_part(problem.task, train);
    problem.validation =
        learning_part(problem.task, ordered_windows(problem.task, TextPart::validation));
    problem.test = learning_part(problem.task, ordered_windows(problem.task, TextPart::test));
    return problem;
}

std::vector<Index> nearest_words(const Matrix& predictions, const Matrix& targets) {
    const Vector half = 0.5 * targets.colwise().squaredNorm().transpose();
    Matrix closeness = targets.transpose() * predictions;
    closeness.colwise() -= half;
    std::vector<Index> words(static_cast<std::size_t>(predictions.cols()));
    for (Index i = 0; i < predictions.cols(); ++i) {
        Index best = 0;
        closeness.col(i).tail(targets.cols() - 1).maxCoeff(&best);
        words[static_cast<std::size_t>(i)] = best + 1;
    }
    return words;
}

Score score(const Matrix& predictions, const LearningPart& part, const TextTask& task) {
    const std::vector<Index> words = nearest_words(predictions, task.targets);
    Index right = 0;
    for (std::size_t i = 0; i < words.size(); ++i) {
        right += words[i] == part.trigrams[i].next ? 1 : 0;
    }
    const auto count = static_cast<double>(words.size());
    Score found;
    found.risk = (predictions - part.data.y).squaredNorm() / part.data.y.squaredNorm();
    found.accuracy = static_cast<double>(right) / count;
    found.standard_error = std::sqrt(found.accuracy * (1.0 - found.accuracy) / count);
    return found;
}

}  // namespace attest

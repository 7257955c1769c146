#include "bench/experiments/text/learners.hpp"

#include "bench/experiments/sketch/sketches.hpp"
#include "bench/experiments/text/softmax_heads.hpp"
#include "bench/experiments/text/text_tables.hpp"
#include "core/algebra/lapack.hpp"
#include "core/base/error.hpp"
#include "core/base/interrupt.hpp"
#include "core/features/predict.hpp"
#include "core/moments/moment_sums.hpp"
#include "core/train/head_map.hpp"
#include "core/train/train.hpp"

#include <array>
#include <cmath>
#include <limits>

namespace attest {

namespace {

constexpr std::array kRidges{1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1.0, 10.0, 100.0};

TextLearned from_coefficients(const LearningProblem& problem, const Matrix& P) {
    return {predict(P, DatasetSource(problem.test.data)),
            relative_risk(P, problem.train.moments),
            relative_risk(P, problem.validation.moments),
            {}};
}

/// The ridge of least validation risk, and its minimiser.
struct ChosenRidge {
    double ridge = 0.0;
    Matrix P;
};

ChosenRidge choose_ridge(const Moments& train, const Moments& validation) {
    ChosenRidge best;
    double least = std::numeric_limits<double>::infinity();
    for (const double ridge : kRidges) {
        const Matrix P = scaled_ridge(train, ridge);
        const double risk = relative_risk(P, validation);
        if (risk < least) {
            least = risk;
            best = {ridge, P};
        }
    }
    return best;
}

/// [z, mean of the window, 1] of every window, a column each.
Matrix linear_features(const Dataset& data) {
    const Index d = data.d();
    Matrix X(2 * d + 1, data.num_sequences());
    for (Index i = 0; i < X.cols(); ++i) {
        X.col(i) << data.tokens.col(data.query_token(i)), data.sequence(i).rowwise().mean(), 1.0;
    }
    return X;
}

Moments linear_moments(const Matrix& X, const Dataset& data) {
    const auto count = static_cast<double>(X.cols());
    return {X * X.transpose() / count,
            X * data.y.transpose() / count,
            data.y.squaredNorm() / count,
            X.cols()};
}

/// Adam along the gradient of the training risk in θ, from the moments.
struct Descent {
    Vector last;
    Vector best;  ///< on the validation part, looked at twenty times
    Index best_update = 0;
};

Descent descend(const HeadMap<double>& map,
                const LearningProblem& problem,
                Vector theta,
                Index updates,
                double rate) {
    const Moments& train = problem.train.moments;
    OptimiserOptions options;
    options.rate = rate;
    Optimiser<double> adam(options, theta.size());
    Descent found{theta, theta, 0};
    double least = std::numeric_limits<double>::infinity();
    const Index glance = std::max<Index>(1, updates / 20);
    for (Index update = 0; update < updates; ++update) {
        throw_if_interrupted("text_learning");
        const Matrix P = map.coefficients(theta);
        if (update % glance == 0) {
            const double risk = relative_risk(P, problem.validation.moments);
            if (risk < least) {
                least = risk;
                found.best = theta;
                found.best_update = update;
            }
        }
        const Matrix slope = (2.0 / train.label_power) * (train.Lambda * P - train.cross);
        theta = adam.step(
            theta, map.pull_back(theta, slope), rate_factor(Schedule::cosine, update, updates));
    }
    found.last = theta;
    return found;
}

constexpr std::array kWideWeights{0.3, 1.0, 3.0, 10.0, 30.0, 100.0};
/// Of the sum over windows, whose counts are a few.
constexpr std::array kWideRidges{1.0, 3.0, 10.0, 30.0, 100.0, 300.0};

/// The candidate of least validation risk.
template <class Candidate>
Candidate choose(const std::vector<WordWindow>& validation,
                 const std::vector<Candidate>& candidates,
                 const std::function<WidePredict(const Candidate&)>& predictor) {
    double least = std::numeric_limits<double>::infinity();
    Candidate best = candidates.front();
    for (const Candidate& candidate : candidates) {
        const double risk = wide_score(validation, predictor(candidate)).risk;
        if (risk < least) {
            least = risk;
            best = candidate;
        }
    }
    return best;
}

WidePredict bigram_predictor(const WideProblem& problem, double weight) {
    return [&problem, weight](const WordWindow& window) {
        return problem.tables.bigram(window.query(), weight);
    };
}

WidePredict trigram_predictor(const WideProblem& problem, const Smoothing& smoothing) {
    return [&problem, smoothing](const WordWindow& window) {
        return problem.tables.trigram(
            window.words[window.words.size() - 2], window.query(), smoothing);
    };
}

double tuned_bigram_weight(const WideProblem& problem) {
    return choose<double>(problem.validation,
                          {kWideWeights.begin(), kWideWeights.end()},
                          [&](double weight) { return bigram_predictor(problem, weight); });
}

Smoothing tuned_smoothing(const WideProblem& problem) {
    std::vector<Smoothing> candidates;
    for (const double bigram : kWideWeights) {
        for (const double trigram : kWideWeights) {
            candidates.push_back({bigram, trigram});
        }
    }
    return choose<Smoothing>(problem.validation, candidates, [&](const Smoothing& smoothing) {
        return trigram_predictor(problem, smoothing);
    });
}

WideLearned learn_layer(const WideProblem& problem, const std::string& learner) {
    RidgeTarget target;
    if (learner == "ridge_to_bigram") {
        target = {&problem.tables, tuned_bigram_weight(problem)};
    }
    const auto count = static_cast<double>(problem.train.size());
    const auto layer = [&](double summed) {
        return std::make_shared<const OneHotLayer>(
            problem.vocabulary, problem.train, target, summed / count);
    };
    const double summed =
        learner == "least_norm"
            ? 0.0
            : choose<double>(problem.validation,
                             {kWideRidges.begin(), kWideRidges.end()},
                             [&](double tried) -> WidePredict {
                                 return [kept = layer(tried)](const WordWindow& window) {
                                     return kept->predict(window);
                                 };
                             });
    const auto kept = layer(summed);
    WideLearned learned{[kept](const WordWindow& window) { return kept->predict(window); }, {}};
    learned.chosen["ridge"] = {summed / count};
    if (learner == "least_norm") {
        learned.chosen["rank"] = {static_cast<double>(kept->rank())};
    }
    if (target.tables != nullptr) {
        learned.chosen["bigram_weight"] = {target.bigram_weight};
    }
    return learned;
}

constexpr Index kLearnedWindow = 8;

LearningPart learning_part(const TextTask& task, const std::vector<TextWindow>& windows) {
    LearningPart part;
    part.data = window_dataset(task, windows);
    part.moments = structured_moments(DatasetSource(part.data), {});
    part.trigrams = trigrams_of(task.text, windows);
    return part;
}

}  // namespace

TextLearned learn_linear(const LearningProblem& problem) {
    const Matrix X = linear_features(problem.train.data);
    const Matrix V = linear_features(problem.validation.data);
    const Moments train = linear_moments(X, problem.train.data);
    const Moments validation = linear_moments(V, problem.validation.data);
    const ChosenRidge chosen = choose_ridge(train, validation);
    return {chosen.P.transpose() * linear_features(problem.test.data),
            relative_risk(chosen.P, train),
            relative_risk(chosen.P, validation),
            {{"ridge", {chosen.ridge}}}};
}

TextLearned learn_least_squares(const LearningProblem& problem) {
    return from_coefficients(problem, scaled_ridge(problem.train.moments, 0.0));
}

TextLearned learn_ridge(const LearningProblem& problem) {
    const ChosenRidge chosen = choose_ridge(problem.train.moments, problem.validation.moments);
    TextLearned learned = from_coefficients(problem, chosen.P);
    learned.chosen["ridge"] = {chosen.ridge};
    return learned;
}

TextLearned learn_heads(const LearningProblem& problem,
                        const LearningSetting& setting,
                        Index num_heads,
                        const DescentEffort& effort) {
    const HeadMap<double> map(setting.d, problem.train.data.o(), num_heads);
    // A tenth of the usual start: outputs are cubic in tokens of size 1, and many heads add up.
    const Vector start = 0.1 * map.start(setting.stream().child("heads").child(num_heads));
    const Descent found = descend(map, problem, start, effort.head_updates, effort.rate);
    TextLearned learned = from_coefficients(problem, map.coefficients(found.last));
    const Matrix early = map.coefficients(found.best);
    const Matrix floor = scaled_ridge(problem.train.moments, 0.0);
    const double floor_risk = relative_risk(floor, problem.train.moments);
    learned.chosen["updates"] = {static_cast<double>(effort.head_updates)};
    learned.chosen["above_floor"] = {learned.train_risk - floor_risk};
    learned.chosen["early_update"] = {static_cast<double>(found.best_update)};
    learned.chosen["early_validation_risk"] = {relative_risk(early, problem.validation.moments)};
    learned.chosen["early_test_risk"] = {relative_risk(early, problem.test.moments)};
    return learned;
}

TextLearned learn_softmax(const LearningProblem& problem,
                          const LearningSetting& setting,
                          Index num_heads,
                          const DescentEffort& effort) {
    const PrefixData<double> train_data = prefix_data<double>(problem.train.data);
    const PrefixData<double> validation = prefix_data<double>(problem.validation.data);
    const PrefixData<double> test = prefix_data<double>(problem.test.data);
    const SoftmaxHeads model(train_data, num_heads);
    TrainOptions options;
    options.optimiser.rate = effort.rate;
    options.updates = effort.softmax_updates;
    options.batch_size = 64;
    const TrainResult<double> result =
        train(model, validation, options, setting.stream().child("softmax").child(num_heads));
    TextLearned learned;
    learned.test = model.outputs(result.theta, test);
    learned.train_risk = model.loss(result.theta, train_data);
    learned.validation_risk = model.loss(result.theta, validation);
    learned.chosen["updates"] = {static_cast<double>(result.updates)};
    // What the last tenth of the updates still changed: the sign of an end.
    const std::vector<LossPoint>& curve = result.curve;
    for (const LossPoint& point : curve) {
        if (10 * point.update >= 9 * result.updates) {
            learned.chosen["late_change"] = {std::abs(curve.back().loss - point.loss)};
            break;
        }
    }
    return learned;
}

WideProblem wide_problem(const WideSetting& setting) {
    TextOptions options;
    options.corpus.path = setting.path;
    options.vocabulary = setting.vocabulary;
    options.representation = Representation::one_hot;
    options.labels = TextLabels::none;
    options.d = kLargestDimension;
    options.n = kWideWindow;
    options.seed = setting.seed + static_cast<std::uint64_t>(setting.repetition);
    const TextTask task = experiment_text(options);
    const auto windows = [&](TextPart part) { return ordered_windows(task, part); };
    std::vector<TextWindow> train = windows(TextPart::train);
    train.resize(train.size() - train.size() / 5);
    const auto words = [&](const std::vector<TextWindow>& list) {
        return word_windows(task.text, list, kWideWindow);
    };
    return {words(train),
            words(windows(TextPart::validation)),
            words(windows(TextPart::test)),
            NgramTables(task.text.size(), trigrams_of(task.text, train)),
            task.text.size(),
            task.shared_8grams};
}

WideScore wide_score(const std::vector<WordWindow>& windows, const WidePredict& predict) {
    WideScore score;
    for (const WordWindow& window : windows) {
        const Vector p = predict(window);
        Index best = 0;
        p.tail(p.size() - 1).maxCoeff(&best);
        score.risk += p.squaredNorm() - 2.0 * p(window.next) + 1.0;
        score.accuracy += best + 1 == window.next ? 1.0 : 0.0;
    }
    const auto count = static_cast<double>(windows.size());
    return {score.risk / count, score.accuracy / count};
}

WideLearned learn_wide(const WideProblem& problem, const std::string& learner) {
    if (learner == "unigram") {
        return {[&problem](const WordWindow&) { return problem.tables.unigram(); }, {}};
    }
    if (learner == "bigram") {
        const double weight = tuned_bigram_weight(problem);
        return {bigram_predictor(problem, weight), {{"bigram_weight", {weight}}}};
    }
    if (learner == "trigram") {
        const Smoothing smoothing = tuned_smoothing(problem);
        return {trigram_predictor(problem, smoothing),
                {{"bigram_weight", {smoothing.bigram}}, {"trigram_weight", {smoothing.trigram}}}};
    }
    return learn_layer(problem, learner);
}

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

#include "bench/experiments/text/wide_learners.hpp"

#include "bench/experiments/text/text_case.hpp"

#include <array>
#include <limits>

namespace attest {

namespace {

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

}  // namespace

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

}  // namespace attest

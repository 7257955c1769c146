#include "bench/experiments/text/text_learners.hpp"

#include "bench/experiments/sketch/moment_risk.hpp"
#include "bench/experiments/text/softmax_heads.hpp"
#include "core/base/interrupt.hpp"
#include "core/features/predict.hpp"
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

}  // namespace attest

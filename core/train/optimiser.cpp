#include "core/train/optimiser.hpp"

#include "core/base/choice.hpp"
#include "core/base/error.hpp"
#include "core/base/text.hpp"

#include <cmath>
#include <numbers>

namespace attest {

namespace {

constexpr Choices<OptimiserKind, 3> kOptimiserKindNames{
    {{OptimiserKind::sgd, "sgd"}, {OptimiserKind::adam, "adam"}, {OptimiserKind::adamw, "adamw"}}};

void check(const OptimiserOptions& options) {
    require(options.rate > 0.0, "optimiser: got rate {}, expected > 0", options.rate);
    for (const double decay : {options.momentum, options.beta1, options.beta2}) {
        require(
            decay >= 0.0 && decay < 1.0, "optimiser: got decay {}, expected 0 to below 1", decay);
    }
    require(options.epsilon >= 0.0 && options.weight_decay >= 0.0,
            "optimiser: got a negative epsilon or weight decay");
}

}  // namespace

std::string_view to_string(OptimiserKind kind) {
    return name_of(kOptimiserKindNames, kind);
}

template <class Scalar>
Optimiser<Scalar>::Optimiser(const OptimiserOptions& options, Index num_parameters)
    : options_(options), mean_(VectorOf<Scalar>::Zero(num_parameters)) {
    check(options);
    if (options.kind != OptimiserKind::sgd) {
        square_ = VectorOf<Scalar>::Zero(num_parameters);
    }
}

template <class Scalar>
VectorOf<Scalar> Optimiser<Scalar>::step(VectorOf<Scalar> theta,
                                         const VectorOf<Scalar>& gradient,
                                         double factor) {
    const auto scalar = [](double x) { return static_cast<Scalar>(x); };
    const double rate = options_.rate * factor;
    ++steps_;
    if (options_.kind == OptimiserKind::sgd) {
        mean_ = scalar(options_.momentum) * mean_ + gradient;
        theta -= scalar(rate) * mean_;
        return theta;
    }
    if (options_.kind == OptimiserKind::adamw) {
        theta *= scalar(1.0 - rate * options_.weight_decay);
    }
    const auto power = static_cast<double>(steps_);
    const double unbias_mean = 1.0 / (1.0 - std::pow(options_.beta1, power));
    const double unbias_square = 1.0 / (1.0 - std::pow(options_.beta2, power));
    mean_ = scalar(options_.beta1) * mean_ + scalar(1.0 - options_.beta1) * gradient;
    square_ =
        scalar(options_.beta2) * square_ + scalar(1.0 - options_.beta2) * gradient.cwiseAbs2();
    theta.array() -= scalar(rate * unbias_mean) * mean_.array() /
                     ((scalar(unbias_square) * square_.array()).sqrt() + scalar(options_.epsilon));
    return theta;
}

template class Optimiser<float>;
template class Optimiser<double>;

namespace {

constexpr Choices<Schedule, 2> kScheduleNames{
    {{Schedule::constant, "constant"}, {Schedule::cosine, "cosine"}}};

}  // namespace

std::string_view to_string(Schedule schedule) {
    return name_of(kScheduleNames, schedule);
}

double rate_factor(Schedule schedule, Index done, Index total) {
    require(
        done >= 0 && done < total, "rate_factor: got update {}, expected 0 to {}", done, total - 1);
    if (schedule == Schedule::constant) {
        return 1.0;
    }
    const double part = static_cast<double>(done) / static_cast<double>(total);
    return 0.5 * (1.0 + std::cos(std::numbers::pi * part));
}

}  // namespace attest

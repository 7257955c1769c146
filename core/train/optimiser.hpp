#pragma once

#include "core/algebra/matrix.hpp"
#include "core/base/shape.hpp"

#include <cstdint>
#include <string_view>

namespace attest {

enum class OptimiserKind : std::uint8_t {
    sgd,    ///< with momentum: m ← μm + g, θ ← θ − ηm
    adam,   ///< Kingma and Ba 2015, Algorithm 1
    adamw,  ///< Loshchilov and Hutter 2019: θ also shrinks by ηλθ, outside the moments
};

[[nodiscard]] std::string_view to_string(OptimiserKind kind);

struct OptimiserOptions {
    OptimiserKind kind = OptimiserKind::adam;
    double rate = 0.01;          ///< η, before the schedule
    double momentum = 0.9;       ///< μ of sgd
    double beta1 = 0.9;          ///< Adam: decay of the mean gradient
    double beta2 = 0.999;        ///< Adam: decay of the mean square
    double epsilon = 1e-8;       ///< Adam: added to the root of the mean square
    double weight_decay = 0.01;  ///< λ of adamw
};

/// An optimiser's memory and its step. The scalar is that of the parameters.
template <class Scalar>
class Optimiser {
public:
    /// Throws InvalidInput unless η > 0, 0 ≤ μ, β₁, β₂ < 1, ε ≥ 0 and λ ≥ 0.
    Optimiser(const OptimiserOptions& options, Index num_parameters);

    /// θ after one step along this gradient, at η times `factor`.
    [[nodiscard]] VectorOf<Scalar> step(VectorOf<Scalar> theta,
                                        const VectorOf<Scalar>& gradient,
                                        double factor);

private:
    OptimiserOptions options_;
    VectorOf<Scalar> mean_;    ///< momentum, or Adam's mean gradient
    VectorOf<Scalar> square_;  ///< Adam's mean square
    Index steps_ = 0;
};

extern template class Optimiser<float>;
extern template class Optimiser<double>;

/// How the learning rate changes during training.
enum class Schedule : std::uint8_t {
    constant,
    cosine,  ///< half a cosine, from the full rate to 0 (Loshchilov and Hutter 2017)
};

[[nodiscard]] std::string_view to_string(Schedule schedule);

/// The factor of the rate in update `done` (0 … total−1): 1, or (1 + cos(π done/total))/2.
[[nodiscard]] double rate_factor(Schedule schedule, Index done, Index total);

}  // namespace attest

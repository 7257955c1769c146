#pragma once

#include "core/rng/stream.hpp"
#include "core/softmax/polish.hpp"

namespace attest {

/// m random Θ of one Frobenius norm, grid_normal directions.
[[nodiscard]] std::vector<Matrix> random_thetas(Index d,
                                                Index m,
                                                double norm,
                                                const Stream& stream);

/// Levenberg–Marquardt from random starts, the best of `starts`; the next one is tried only while
/// the target is not reached. The baseline that a learner of heads has to be compared with.
[[nodiscard]] SoftmaxFit fit_from_random(
    const SoftmaxExamples& examples, Index m, double norm, Index starts, const Stream& stream);

struct AdamOptions {
    Index steps = 1500;
    double rate = 0.03;       ///< falls to 0 as half a cosine
    double start_norm = 0.3;  ///< of the Θ_i; the W_i start with entries of variance 1/d
};

/// Full-batch Adam (Kingma and Ba 2015, β = 0.9 and 0.999) on the mean squared error, untuned.
/// O(N k² d) a step and head.
[[nodiscard]] SoftmaxFit fit_by_adam(const SoftmaxExamples& examples,
                                     Index m,
                                     const AdamOptions& options,
                                     const Stream& stream);

/// Gradient of (1/N) Σ‖Y − F(X)‖² in every Θ_i and W_i.
[[nodiscard]] SoftmaxHeads error_gradient(const SoftmaxHeads& heads,
                                          const SoftmaxExamples& examples);

}  // namespace attest

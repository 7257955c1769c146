#pragma once

#include "core/softmax/attention.hpp"
#include "core/softmax/examples.hpp"

#include <vector>

namespace attest {

/// Whether a row's label determines the patterns of m heads: the map from the m(k−1) free
/// probabilities to R^d can be injective only if d ≥ m(k−1).
[[nodiscard]] bool rows_are_injective(Index d, Index k, Index m);

/// The rounds of an unmixing: heads after the last and the training error after each.
struct Unmixing {
    SoftmaxHeads heads;
    std::vector<double> errors;
};

/// Refines heads without derivatives: with the W_i fixed, every row is solved for all its
/// probabilities p^i, the log-ratios log(p_j/p_0) are regressed on x_a ⊗ (x_j − x_0) with weights
/// p_j p_0 (rows with a probability below 10⁻³ are dropped), then W by least squares. Contracts the
/// squared error about tenfold a round when d ≥ m(k−1). Ours. Throws InvalidInput when d < m(k−1).
[[nodiscard]] Unmixing unmix(const SoftmaxHeads& start,
                             const SoftmaxExamples& examples,
                             Index rounds);

}  // namespace attest

#pragma once

#include <vector>

namespace attest {

/// exp(score_j)/Σ exp(score_i), the largest score subtracted first. Sums run in order, with an
/// exponential of our own: the same bits on every machine. Empty for no scores.
[[nodiscard]] std::vector<double> softmax_weights(std::vector<double> scores);

}  // namespace attest

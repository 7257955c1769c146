#pragma once

#include "core/algebra/matrix.hpp"

#include <vector>

namespace attest {

/// One head of softmax attention, X ↦ softmax(X Θ Xᵀ) X W for a k×d sequence X with a token in each
/// row (arXiv 2402.04084, equation 1). Theta and W are d×d.
struct SoftmaxHead {
    Matrix Theta;
    Matrix W;
};

using SoftmaxHeads = std::vector<SoftmaxHead>;

// In memory a token is a column: example i of a block is columns i·k … i·k+k−1 of a d×(B·k) matrix,
// the transpose of the paper's X. All sums below run in one fixed order, with an exponential of our
// own: the same bits on every machine.

/// Attention probabilities of a d×k sequence: column a holds p(a) = softmax_j(x_aᵀ Θ x_j). O(k²d +
/// kd²).
[[nodiscard]] Matrix attention_weights(const Matrix& Theta, const Matrix& X);

/// Σ_j p_j(a) x_j for every token a of a block of sequences of k tokens: d×(B·k).
[[nodiscard]] Matrix mixed_tokens(const Matrix& Theta, const Matrix& X, Index k);

/// Y_a = Σ_i W_iᵀ Σ_j p_j^i(a) x_j for every token of a block: d×(B·k), the transpose of the
/// paper's F(X). Throws InvalidInput unless the heads are d×d and X holds whole sequences.
[[nodiscard]] Matrix softmax_attention(const SoftmaxHeads& heads, const Matrix& X, Index k);

/// Σ_i W_i. Throws InvalidInput without a head.
[[nodiscard]] Matrix sum_of_values(const SoftmaxHeads& heads);

/// The largest ‖Θ_i‖_F, Λ.
[[nodiscard]] double largest_theta(const SoftmaxHeads& heads);

/// exp(score_j)/Σ exp(score_i), the largest score subtracted first. Sums run in order, with an
/// exponential of our own: the same bits on every machine. Empty for no scores.
[[nodiscard]] std::vector<double> softmax_weights(std::vector<double> scores);

}  // namespace attest

#pragma once

#include "core/softmax/examples.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace attest {

/// Which attention patterns a regression of Y_a on the tokens looks for.
enum class SculptMode : std::uint8_t {
    full,   ///< any pattern that all heads share: p ∈ R^k; needs k − 1 ≤ d
    pairs,  ///< a pattern on two tokens only, for long sequences: every pair is tried
};

[[nodiscard]] std::string_view to_string(SculptMode mode);

/// full at k = 2, both for 3 ≤ k ≤ d, pairs for k > d.
[[nodiscard]] std::vector<SculptMode> sculpt_modes(Index d, Index k);

struct SculptOptions {
    SculptMode mode = SculptMode::full;
    Index rows = 1000;              ///< rows (X, a) to keep: those of least score
    double min_probability = 0.03;  ///< of every token in the pattern
    double min_design = 0.5;        ///< σ_min of the regression, in units of ‖Ŵ‖_F/√d
};

/// Rows on which all heads seem to agree. Where they do, p_1 = … = p_m = p, the label is Ŵᵀ Σ_j p_j
/// x_j and log(p_j/p_0) = x_aᵀ Θ_i (x_j − x_0) for every i: affine constraints on Θ_i that hold for
/// all heads at once. Best first.
struct SculptedRows {
    Index d = 0;
    Index steps = 1;     ///< constraints a row gives: k − 1 (full) or 1 (pairs)
    Vector scores;       ///< s = residual / (σ_min · min p), about the error of a logit
    Matrix tokens;       ///< d×T, x_a
    Matrix labels;       ///< d×T, Y_a
    Matrix mixtures;     ///< d×T, Σ_j p_j x_j as fitted
    Matrix differences;  ///< d×(T·steps), x_j − x_0
    Vector logits;       ///< T·steps, log(p_j/p_0)

    [[nodiscard]] Index count() const { return scores.size(); }
};

/// Regresses every row's label on Ŵᵀ x_0 … Ŵᵀ x_{k−1} with Σ p = 1 and keeps the best rows (the
/// paper's second phase; score and thresholds are ours). One pass, O(N k (k−1)² d), for pairs O(N
/// k³ d); memory for the kept rows only. Throws InvalidInput when k < 2, or k − 1 > d for full.
[[nodiscard]] SculptedRows sculpt(const SoftmaxSource& source,
                                  const Matrix& W,
                                  const SculptOptions& options);

}  // namespace attest

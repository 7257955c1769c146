#pragma once

#include "core/softmax/attention.hpp"
#include "core/softmax/examples.hpp"

#include <cstdint>
#include <string_view>

namespace attest {

/// First estimates of Σ_i W_i from moments of the labels, for tokens with mean 0 and covariance I.
enum class CrudeEstimator : std::uint8_t {
    all_pairs,  ///< E[(1/k) Xᵀ J Y], the paper's
    off_diagonal,  ///< E[(1/(k−1)) Σ_{j≠a} x_j Y_aᵀ], ours: free of the first-order bias up to 1/k;
                   ///< k ≥ 2
};

[[nodiscard]] std::string_view to_string(CrudeEstimator estimator);

/// all_pairs for k ≤ 2, else off_diagonal, which was measured to be the better one from k = 3 on.
[[nodiscard]] CrudeEstimator preferred_estimator(Index k);

/// The estimate Ŵ, d×d. One pass, O(N k d²). Throws InvalidInput for off_diagonal with k = 1.
[[nodiscard]] Matrix crude_sum(const SoftmaxSource& source, CrudeEstimator estimator);

/// The first-order bias of the paper's estimator, (1 − 1/k) Σ_i (Θ_i + (κ/k) diag Θ_i) W_i for
/// independent entries of excess kurtosis κ (0 Gaussian, −2 signs). Expanding the softmax, p(a)ᵀX =
/// x̄ᵀ + x_aᵀ Θ C + O(Θ²) with C the covariance of the tokens, so the term is E[Σ_j x_j x̄ᵀ Θ C]: a
/// product of expectations but for the entries of one coordinate, where fourth moments enter.
[[nodiscard]] Matrix first_order_bias(const SoftmaxHeads& heads, Index k, double excess_kurtosis);

/// (mean over tokens of ‖Y_a‖²)^½, the size that tells a vanishing Ŵ from a small one. One pass.
[[nodiscard]] double label_scale(const SoftmaxSource& source);

}  // namespace attest

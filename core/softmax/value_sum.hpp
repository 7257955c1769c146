#pragma once

#include "core/softmax/attention.hpp"
#include "core/softmax/examples.hpp"
#include "core/softmax/sculpt.hpp"

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

struct TrimmedOptions {
    Index rows = 0;     ///< rows of largest margin; 0: max(8d, 0.004·N·k), at most 20 000
    double keep = 0.5;  ///< fraction kept by least trimmed squares
    Index iterations = 10;
};

/// A refined estimate of Σ_i W_i and how well its tokens cover R^d.
struct RefinedSum {
    Matrix W;
    double coverage = 0.0;  ///< σ_min(kept tokens)/√(their number); below 0.3 a direction is unseen
    Index rows = 0;         ///< rows W was fitted to
};

/// The least coverage with which a refined sum can be trusted in every direction.
inline constexpr double kLeastCoverage = 0.3;

/// Third phase: on rows where the proxy Θ̄, the hull's point of least norm, prefers one token j by
/// far, every head does on average, so Y_a ≈ Wᵀ x_j. Takes the rows of largest margin and fits W by
/// least trimmed squares from `start` (ours: a minority of rows has a head that points elsewhere
/// and ruins plain least squares). Doubles the rows up to three times while coverage is below
/// kLeastCoverage. One to four passes, O(N k² d).
[[nodiscard]] RefinedSum refine_by_margin(const SoftmaxSource& source,
                                          const Matrix& proxy,
                                          const Matrix& start,
                                          const TrimmedOptions& options);

struct AnnealingOptions {
    SculptMode mode = SculptMode::full;
    Index rounds = 16;
    double first_fraction = 0.2;  ///< of all rows in the first round
    Index last_rows = 0;          ///< in the last round; 0: 6d²
};

/// The same quantity without a proxy, ours: alternates sculpting with the least squares fit of W to
/// the mixtures found, on ever fewer rows. One pass a round. Better than the margin when distinct
/// rows are few, as in short Boolean sequences.
[[nodiscard]] RefinedSum refine_by_annealing(const SoftmaxSource& source,
                                             const Matrix& start,
                                             const AnnealingOptions& options);

/// Rows whose tokens are all equal: there Y_a = x_aᵀ Σ W exactly. Boolean inputs only, where such
/// rows have probability 2^{−d(k−1)}; ours. Coverage 0 when they do not span R^d. One pass.
[[nodiscard]] RefinedSum anchor_sum(const SoftmaxSource& source);

}  // namespace attest

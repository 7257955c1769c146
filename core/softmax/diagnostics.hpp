#pragma once

#include "core/softmax/attention.hpp"
#include "core/softmax/examples.hpp"
#include "core/softmax/hull.hpp"
#include "core/softmax/pipeline.hpp"

#include <vector>

namespace attest {

/// How often the heads of a layer agree on a row, which decides how many examples sculpting needs:
/// P(max_{i,i',j} |p_j^i − p_j^{i'}| ≤ ε, all p ≥ least) falls like ε^{(m−1)(k−1)}.
struct Rarity {
    Index rows = 0;
    std::vector<Index> agreeing;  ///< rows that agree within each ε
    Index sparse = 0;  ///< rows on which every head puts more than 0.99 on the same token
};

/// Counts over a source, whose labels are not used. One pass, O(N m k² d).
[[nodiscard]] Rarity agreement(const SoftmaxHeads& heads,
                               const SoftmaxSource& source,
                               const std::vector<double>& epsilons,
                               double least_probability = 0.05);

/// The slope of log P against log ε by least squares over the ε with at least `fewest` rows, each
/// weighted by its count; NaN when fewer than two are left.
[[nodiscard]] double rarity_slope(const Rarity& rarity,
                                  const std::vector<double>& epsilons,
                                  Index fewest = 20);

/// Errors of learned heads against planted ones, under the best matching of the two.
struct RecoveryError {
    double theta = 0.0;  ///< max_i ‖Θ̂_i − Θ_i‖_F/‖Θ_i‖_F
    double value = 0.0;  ///< max_i ‖Ŵ_i − W_i‖_F/‖W_i‖_F

    [[nodiscard]] double worst() const { return theta > value ? theta : value; }
};

/// The matching minimises the worst relative error. O(m! m d²). Throws InvalidInput unless both
/// have the same number of heads, from 1 to 8.
[[nodiscard]] RecoveryError recovery_error(const SoftmaxHeads& learned,
                                           const SoftmaxHeads& planted);

/// A run's outcome where the truth is known: heads in another number than the planted ones are not
/// recovered, however well they predict.
[[nodiscard]] SoftmaxOutcome outcome_against(SoftmaxOutcome outcome,
                                             const SoftmaxHeads& learned,
                                             const SoftmaxHeads& planted);

/// How far an estimated hull is from the planted heads' own.
struct HullError {
    double distance = 0.0;       ///< max_i dist(Θ_i, hull)/‖Θ_i‖
    double angle_degrees = 0.0;  ///< largest principal angle to span{Θ_i − Θ_m}
};

[[nodiscard]] HullError hull_error(const ThetaHull& hull, const SoftmaxHeads& planted);

/// ‖W − Σ_i W_i‖_F/‖Σ_i W_i‖_F.
[[nodiscard]] double sum_error(const Matrix& W, const SoftmaxHeads& planted);

/// The flattened Θ_i, a column each: d²×m.
[[nodiscard]] Matrix flattened_thetas(const SoftmaxHeads& heads);

/// The least held-out relative squared error of layers that leave out one of these heads: the rest
/// is polished for a few steps, starting from its own Θ_i. Maps softmax(XΘXᵀ)XW with distinct Θ are
/// linearly independent, so a layer with one head too many fits exactly only with W_i = 0 or Θ_i =
/// Θ_j, and then so does the layer without head i. Infinite for a single head. m polishes of at
/// most 10 steps. Ours.
[[nodiscard]] double error_without_a_head(const SoftmaxHeads& heads,
                                          const SoftmaxExamples& training,
                                          const SoftmaxExamples& held_out);

/// Whether heads are far from the degenerate cases in which the algorithm cannot work, as numbers.
/// The paper speaks of non-degeneracy; these definitions are ours. All are scale free; 1 is best,
/// 0 is degenerate unless said otherwise.
struct NonDegeneracy {
    double largest_cosine = 0.0;  ///< max_{i≠j} |⟨Θ_i, Θ_j⟩|/(‖Θ_i‖‖Θ_j‖); 0 is best
    double theta_sigma = 0.0;     ///< σ_m of the unit Θ_i stacked
    double theta_distance = 0.0;  ///< min_{i≠j} ‖Θ_i − Θ_j‖/Λ
    double proxy_norm = 0.0;    ///< ‖Θ̄‖/Λ, Θ̄ the point of least norm of the affine hull
    double proxy_weight = 0.0;  ///< least affine weight of Θ̄; negative: a head outside its cone
    double effective_rank = 0.0;  ///< min_i ‖Θ_i‖_F²/‖Θ_i‖²
    double sum_sigma = 0.0;       ///< σ_min(Σ W_i)·√d/‖Σ W_i‖_F
    double value_sigma = 0.0;     ///< σ_m of the unit W_i stacked
    bool rows_injective = false;  ///< d ≥ m(k−1)
};

/// O(m²d² + d³). Throws InvalidInput without a head, or when one is zero.
[[nodiscard]] NonDegeneracy non_degeneracy(const SoftmaxHeads& heads, Index k);

/// σ_min(W)·√d/‖W‖_F, 0 for W = 0.
[[nodiscard]] double scaled_least_sigma(const Matrix& W);

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

#pragma once

#include "core/softmax/attention.hpp"

namespace attest {

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

}  // namespace attest

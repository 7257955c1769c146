#pragma once

#include "core/distil/series.hpp"

namespace attest {

/// What a least risk is to leading order as all scores shrink: constant·τ^power + O(τ^{power+1}),
/// with |√risk − √constant τ^{power/2}| ≤ next·τ^{power/2+1}.
struct LeadingRisk {
    int power = 0;
    double constant = 0.0;
    double next = 0.0;  ///< root mean square of the series' remainder; 0 where none is derived
};

/// Of the linear family that `data.layer` names: the residual of least squares is linear in the
/// labels, so that the least risk is ‖Σ τ^k R F_k‖²; power = 2k for the first term that the
/// features do not have (relative risk above `kNoResidual`). Throws InvalidInput where they have
/// F_0, F_1 and F_2, and as score_series.
[[nodiscard]] LeadingRisk leading_risk(const SoftmaxLayer& layer, const Dataset& data);

/// Of one normalised head on (1, z), in place of one softmax head without biases. It has F_0 and
/// F_1; what is left of F_2 is ½ V Cov(z, a²), less what the head's own freedom at second order
/// takes: V' z̃-means, V Cov(z, b) for b = z̃ᵀB z̃, and (c·z̃) V Cov(z, a) (docs/distil.md). power 4.
/// Throws InvalidInput for another softmax layer.
[[nodiscard]] LeadingRisk normalised_leading_risk(const SoftmaxLayer& layer, const Dataset& data);

/// A relative risk that is rounding: labels of relative accuracy 2⁻⁵², features conditioned to 10⁵.
inline constexpr double kNoResidual = 1e-20;

}  // namespace attest

#pragma once

#include "core/distil/softmax_layer.hpp"

#include <vector>

namespace attest {

/// The series of a softmax layer in its scores: outputs at scores multiplied by τ are
/// F_0 + τ F_1 + τ² F_2 + …, F_k = Σ_h V_h κ(z̃, a_h, …, a_h)/k!, κ the joint cumulant over the
/// tokens, all alike likely, of a token and k times its score (docs/distil.md). `direct` is in F_0.
struct ScoreSeries {
    std::vector<Matrix> terms;  ///< F_0, F_1, F_2: o×num_examples
    /// remainders[k](i): for 0 ≤ τ ≤ 1 and every example i,
    /// ‖outputs − Σ_{j≤k} τ^j F_j‖ ≤ τ^{k+1}·remainders[k](i); k = 0, 1, 2
    std::vector<Vector> remainders;
};

/// Terms and remainders of the layer at its own τ: τ multiplies layer.tau. With D_h the diameter of
/// the values V_h z̃_t and R_h the range of the scores, the k-th derivative of a head is at most
/// D R/4, D R²/4 and 7 D R³/16 for k = 1, 2, 3, whatever the weights p; Taylor's remainder divides
/// by k!. Throws InvalidInput as outputs.
[[nodiscard]] ScoreSeries score_series(const SoftmaxLayer& layer, const Dataset& data);

}  // namespace attest

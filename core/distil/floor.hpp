#pragma once

#include "core/data/dataset.hpp"
#include "core/distil/softmax_layer.hpp"
#include "core/exact/scalars.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace attest {

/// What a floor rests on.
enum class FloorBasis : std::uint8_t {
    exact,      ///< it is the least risk, over Q for the doubles of the file
    rigorous,   ///< a lower bound of it, every rounding accounted for
    numerical,  ///< the least risk as floating point finds it: proves nothing
};
[[nodiscard]] std::string_view to_string(FloorBasis basis);

/// How hard is tried for a basis.
enum class FloorEffort : std::uint8_t {
    automatic,  ///< exact where it takes seconds, else rigorous, else numerical
    exact,
    rigorous,
    numerical,
};
[[nodiscard]] FloorEffort floor_effort_named(std::string_view name);

/// A risk (1/N) Σ ‖ŷ − y‖² that no member of the layer's family passes below.
struct RiskFloor {
    FloorBasis basis = FloorBasis::numerical;
    double value = 0.0;   ///< never above `proved` where that is proved: rounded down
    Rational proved = 0;  ///< exact or rigorous; else 0
    std::string note;     ///< one line for people: how it was found, or why not better
};

/// What risk_floor is estimated to take at most, in seconds of the machine of AuditSize.
[[nodiscard]] double floor_seconds(const Dataset& data, FloorEffort effort);

/// The floor under the training risk of coefficients on labelled data; P (ψ×o) is a minimiser as
/// floating point finds it, `risk` its risk. Exact: least_risk. Rigorous: with Λ ⪰ λ·I, λ > 0
/// (enclose_lambda_min), and g the gradient residue (1/N) Σ H (P̂ᵀH − y)ᵀ of a P̂ rounded to 60
/// bits, the least risk is risk(P̂) − tr gᵀΛ⁻¹g ≥ risk(P̂) − ‖g‖²/λ, risk and g over the integers;
/// never below 0. Throws InvalidInput where an effort asked for by name does not succeed.
[[nodiscard]] RiskFloor risk_floor(const Dataset& data,
                                   const Matrix& P,
                                   double risk,
                                   FloorEffort effort);

/// The largest double that is at most the value.
[[nodiscard]] double rounded_down(const Rational& value);

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

#pragma once

#include "core/heads/fit_heads.hpp"

#include <functional>
#include <optional>

namespace attest {

/// The best fit with one number of heads.
struct HeadCurvePoint {
    Index num_heads = 0;
    Index parameters = 0;  ///< dimension of the functions with that many heads, head_dimension
    Index entries = 0;     ///< D, entries of L p
    double loss = 1.0;     ///< ‖L(p̂ − p)‖² / ‖L p‖²
    double variance = 0.0;  ///< σ²(H) = ‖L(p̂ − p)‖² / (D − parameters); ∞ when none are left
    HeadFit fit;
};

/// Loss against number of heads, from none upward.
using HeadCurve = std::vector<HeadCurvePoint>;

/// Fits 0, 1, …, `last` heads, each from fit_heads' starts and from the fit before with the
/// strongest direction of its residual added, so that the loss never increases. Ends early at
/// control.target or on interrupt.
[[nodiscard]] HeadCurve head_curve(const FitTarget& target,
                                   Index last,
                                   const HeadFitOptions& options,
                                   const std::function<void(const HeadCurvePoint&)>& progress);

/// The elbow of σ²(H): the last H ≥ 1 at which σ² falls by more than a factor 4, among those that
/// leave a tenth of D free; empty when there is none. A missing head makes σ² fall sharply, fitting
/// noise does not.
[[nodiscard]] std::optional<Index> elbow(const HeadCurve& curve);

}  // namespace attest

#pragma once

#include "core/moments/second_moment.hpp"

namespace attest {

/// Relative squared error of coefficients P (ψ×o) from the moments alone: (E‖y‖² − 2⟨P, C⟩ + ⟨P,
/// ΛP⟩)/E‖y‖². Rounding: ψ·ε times the largest of the three; what is below 0 by no more is 0.
[[nodiscard]] double relative_risk(const Matrix& P, const Moments& moments);

/// The minimiser of training risk + ridge·Σ Λ_ii ‖P_i‖²: a ridge on features of mean square 1.
[[nodiscard]] Matrix scaled_ridge(const Moments& moments, double ridge);

}  // namespace attest

#pragma once

#include "tests/reference/rational.hpp"

namespace attest::reference {

/// The P of (Σ h hᵀ + N·ridge·W²) P = Σ h yᵀ, `squares` the diagonal of W²; ψ×o. Empty where that
/// matrix is singular. The rows of H and Y are the examples.
[[nodiscard]] Rows reference_least_squares(const Rows& H,
                                           const Rows& Y,
                                           const Row& squares,
                                           const Rational& ridge);

/// P = W⁻² Hᵀ (H W⁻² Hᵀ)⁻¹ Y, of least ‖W P‖ among those that fit; empty where the examples are
/// dependent.
[[nodiscard]] Rows reference_minimum_norm(const Rows& H, const Rows& Y, const Row& squares);

}  // namespace attest::reference

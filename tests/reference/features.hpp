#pragma once

#include "tests/reference/rational.hpp"

namespace attest::reference {

/// Algorithm 2: for j<k and l, ⟨z_j:, z_k:⟩ z_ln; then ‖z_j:‖² z_ln. Z is d×n; ψ entries.
[[nodiscard]] Row reference_cubic_features(const Rows& Z);

/// Algorithm 8: X[j][k·d + l] = ⟨z_j:, z_k:⟩ z_ln, d×d².
[[nodiscard]] Rows reference_embedded_features(const Rows& Z);

/// Λ = (1/N) Σ_i H_i H_iᵀ of the rows H_i.
[[nodiscard]] Rows reference_second_moment(const Rows& features);

}  // namespace attest::reference

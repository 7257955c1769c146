#pragma once

#include "proofs_check/claims/claim.hpp"

namespace attest::fewest_heads {

/// Relative distance at which two functions count as the same; variable projection stops below it.
inline constexpr double kSameFunction = 1e-12;

// One function a file of this folder. proofs_check/claims/catalogue.cpp lists them.
[[nodiscard]] Claim d_squared_never_needed();
[[nodiscard]] Claim counting_bound_table();
[[nodiscard]] Claim planted_recovery();
[[nodiscard]] Claim identifiable();
[[nodiscard]] Claim deficient_data();
[[nodiscard]] Claim two_or_six_tensors();

}  // namespace attest::fewest_heads

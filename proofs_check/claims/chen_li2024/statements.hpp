#pragma once

#include "proofs_check/claims/claim.hpp"

namespace attest::chen_li2024 {

// arXiv 2402.04084, whose full text was not at hand: claims quote public summaries of it, or state
// what this project's completion of the algorithm rests on.

[[nodiscard]] Claim guarantee();
[[nodiscard]] Claim crude_sum_bias();
[[nodiscard]] Claim rows_injective();
[[nodiscard]] Claim least_norm_identity();
[[nodiscard]] Claim rarity_exponent();
[[nodiscard]] Claim exponential_dependence();
[[nodiscard]] Claim random_heads();
[[nodiscard]] Claim structured_heads();
[[nodiscard]] Claim continuous_inputs();

}  // namespace attest::chen_li2024

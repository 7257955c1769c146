#pragma once

#include "proofs_check/claims/claim.hpp"

namespace attest::depth {

// One function a file of this folder. proofs_check/claims/catalogue.cpp lists them.
[[nodiscard]] Claim one_linear_layer();
[[nodiscard]] Claim one_token();
[[nodiscard]] Claim without_residual();
[[nodiscard]] Claim residual();
[[nodiscard]] Claim small_linear_stacks();
[[nodiscard]] Claim grouped_heads();
[[nodiscard]] Claim decays();
[[nodiscard]] Claim biases();
[[nodiscard]] Claim polynomial_mlp();
[[nodiscard]] Claim rotary();
[[nodiscard]] Claim softmax_stacks();
[[nodiscard]] Claim norms();
[[nodiscard]] Claim transformer();
[[nodiscard]] Claim examples_needed();

}  // namespace attest::depth

#pragma once

#include "core/softmax/attention.hpp"
#include "core/softmax/examples.hpp"

namespace attest {

/// The least held-out relative squared error of layers that leave out one of these heads: the rest
/// is polished for a few steps, starting from its own Θ_i. Maps softmax(XΘXᵀ)XW with distinct Θ are
/// linearly independent, so a layer with one head too many fits exactly only with W_i = 0 or Θ_i =
/// Θ_j, and then so does the layer without head i. Infinite for a single head. m polishes of at
/// most 10 steps. Ours.
[[nodiscard]] double error_without_a_head(const SoftmaxHeads& heads,
                                          const SoftmaxExamples& training,
                                          const SoftmaxExamples& held_out);

}  // namespace attest

#pragma once

#include "proofs_check/claims/claim.hpp"

namespace attest::henry2025 {

// Henry, Marchetti, Kohn: Geometry of Lightning Self-Attention (arXiv 2408.17221). The full text
// was not at hand: what was read of it stands in docs/depth.md. One function a file of this folder.
[[nodiscard]] Claim single_layer();
[[nodiscard]] Claim deep_dimension();
[[nodiscard]] Claim softmax_layer();
[[nodiscard]] Claim softmax_deep();
[[nodiscard]] Claim figure_3();
[[nodiscard]] Claim public_script();

}  // namespace attest::henry2025

#pragma once

#include "proofs_check/claims/claim.hpp"

namespace attest::henry2026 {

// Henry: Generic Fibers and Functional Dimension of Multi-Head Attention (ICML 2026 workshop). Only
// its abstract was read. One function a file of this folder.
[[nodiscard]] Claim no_hidden_symmetries();
[[nodiscard]] Claim memorisation();

}  // namespace attest::henry2026

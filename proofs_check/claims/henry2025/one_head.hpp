#pragma once

#include "proofs_check/claims/depth/predictions.hpp"

namespace attest::henry2025 {

/// The paper's networks, as far as this program has them: one head a layer, d numbers a token
/// throughout, a full d×d value matrix V, here O·V with v = d, no residual connections.
[[nodiscard]] depth::Sizes one_head(Index d, Index a, Index layers);

/// L(a(2d − a) + d²) − (L − 1)d² − L·[not normalised]: what the paper's public script draws.
[[nodiscard]] Index lightning_formula(const depth::Sizes& sizes);
[[nodiscard]] Index softmax_formula(const depth::Sizes& sizes);

/// The same without what is lost between layers: a planted fault.
[[nodiscard]] Index layers_alone(const depth::Sizes& sizes);

}  // namespace attest::henry2025

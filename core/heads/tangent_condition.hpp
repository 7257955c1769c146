#pragma once

#include "core/algebra/matrix.hpp"

namespace attest {

/// 1/σ_min of W ↦ p(W) (isometric coefficients) restricted to the tangent space of the rank-H
/// tensors at W, (o·d)×d²: a relative error of η in p moves a locally unique W by at most η times
/// this, to first order. Infinite where W is not locally unique. One SVD of (o·ψ)×(H(od + d²) −
/// H²).
[[nodiscard]] double tangent_condition(const Matrix& W, Index d, Index num_heads);

}  // namespace attest

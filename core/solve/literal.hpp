#pragma once

#include "core/solve/problem.hpp"

namespace attest {

/// Algorithm 1 as printed: min over W ∈ R^{od×d²} of Σ_i Σ_a (⟨W, X_{i,a}⟩ − y_{i,a})², the X of
/// Algorithm 8, least ‖W‖_F by the SVD of the No×od³ design matrix. Only for tiny d: the design is
/// formed. Returns P = p(W).
[[nodiscard]] LeastSquaresFit fit_literal(const MomentSource& source);

/// Bytes of the literal design matrix and its SVD.
[[nodiscard]] double literal_bytes(const SourceShape& shape);

}  // namespace attest

#pragma once

#include "proofs_check/exact/exact_problem.hpp"

namespace attest::fewest_heads {

/// The tangent space of the rank-H tensors at the tensor W of some heads, spanned by (V_h → unit) ⊗
/// Q_h and V_h ⊗ (Q_h → unit), since W is linear in each factor; and its image in the coefficients.
/// W ↦ p(W) meets the tangent space in 0 iff both dimensions agree.
struct Tangents {
    Index tensors = 0;       ///< rank of the spanning tensors
    Index coefficients = 0;  ///< rank of their coefficients: of the Jacobian of (V, Q) ↦ P
};

/// Exact over the rationals. O(H(od + d²)) tensors of o·d³ entries.
[[nodiscard]] Tangents tangents(const RationalParameters& theta);

}  // namespace attest::fewest_heads

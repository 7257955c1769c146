#pragma once

#include "proofs_check/exact/exact_problem.hpp"

namespace attest {

// Routes to an empirical risk minimiser, or to the heads of a P, that share no code with least
// squares on explicit features.

/// The minimiser of least ‖Sym W‖_F from the N×N kernel ⟨S, S'⟩_F ⟨z, z'⟩: solves K α = Y and
/// returns P = Σ_i D H(Z_i) α_iᵀ, D = 2 on pairs and 1 on squares. Throws BrokenInvariant when no
/// P fits the labels Y (N×o).
[[nodiscard]] RationalMatrix kernel_minimiser(const std::vector<RationalMatrix>& Z,
                                              const RationalMatrix& Y);

/// The same function in other heads: (V, Q) ↦ (V G, G⁻¹ Q) across the heads with a random
/// unimodular G, then two heads that add an antisymmetric A to W. Needs one head at least.
[[nodiscard]] RationalParameters scrambled_heads(const RationalParameters& theta,
                                                 const Stream& stream);

/// Heads of any W ((o·d)×d²) over Q, as many as its rank: W = C R with C its independent columns.
[[nodiscard]] RationalParameters rank_heads(const RationalMatrix& W, Index d);

/// `steps` steps of gradient descent on (1/N) Σ ‖PᵀH − y‖² from P0 with the step 1/(2 tr Λ): the
/// error shrinks by 1 − λ_min/tr Λ in each.
template <class Scalar>
[[nodiscard]] MatrixOf<Scalar> descend(const MatrixOf<Scalar>& Lambda,
                                       const MatrixOf<Scalar>& cross,
                                       MatrixOf<Scalar> P,
                                       Index steps) {
    const Scalar trace = Lambda.trace();
    for (Index k = 0; k < steps; ++k) {
        const MatrixOf<Scalar> gradient = Lambda * P - cross;
        P -= gradient / trace;
    }
    return P;
}

}  // namespace attest

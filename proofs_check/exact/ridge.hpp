#pragma once

#include "proofs_check/exact/exact_problem.hpp"

namespace attest {

// min_P (1/N) Σ ‖Pᵀ H_i − y_i‖² + λ‖P‖_F² over Q, the ridge of SolveOptions with Norm::packed.

/// Λ + λI, the quadratic form of the objective: ψ×ψ.
[[nodiscard]] RationalMatrix ridge_form(const RationalMatrix& H, const Rational& lambda);

/// P_λ = (Σ H Hᵀ + N λ I)⁻¹ Σ H yᵀ, λ > 0: the only minimiser, on any data. ψ×o.
[[nodiscard]] RationalMatrix ridge_minimiser(const ExactProblem& problem, const Rational& lambda);

/// The minimiser of the risk of least ‖P‖_F: any minimiser less its part in the null space of H.
[[nodiscard]] RationalMatrix least_norm(const ExactProblem& problem);

/// lim P_λ for λ → 0 without any limit. With r = rank H, q(λ) = det(Λ + λI)/λ^(ψ−r) is a polynomial
/// of degree r and q(λ) P_λ one of degree r − 1: both are interpolated at λ = 1 … `points` and
/// divided at 0. Throws InvalidInput unless points > r.
[[nodiscard]] RationalMatrix ridge_limit(const ExactProblem& problem, Index points);

}  // namespace attest

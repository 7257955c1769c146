#pragma once

#include "core/data/dataset.hpp"
#include "core/model/parameters.hpp"
#include "proofs_check/exact/rational_algebra.hpp"

#include <vector>

namespace attest {

using RationalParameters = ParametersOf<Rational>;

/// Least squares over Q on explicit features: the empirical risk of linear attention, without any
/// rounding.
struct ExactProblem {
    RationalMatrix H;  ///< N×ψ, H(Z_i) a row
    RationalMatrix Y;  ///< N×o

    [[nodiscard]] Index num_examples() const { return H.rows(); }

    [[nodiscard]] Index psi() const { return H.cols(); }
};

/// The sequences of a data set; doubles convert exactly.
[[nodiscard]] std::vector<RationalMatrix> exact_sequences(const Dataset& data);

/// N random sequences of n tokens with integer entries up to `bound`.
[[nodiscard]] std::vector<RationalMatrix> random_sequences(
    Index num_sequences, Index d, Index n, Index bound, const Stream& stream);

/// Heads with integer entries up to `bound`.
[[nodiscard]] RationalParameters random_heads(
    Index d, Index o, Index heads, Index bound, const Stream& stream);

/// The cubic features of the last columns, a row each.
[[nodiscard]] RationalMatrix feature_rows(const std::vector<RationalMatrix>& Z);

/// MHLA_Θ(Z), last column (Definition 2.1).
[[nodiscard]] RationalVector output(const RationalParameters& theta, const RationalMatrix& Z);

/// Features of Z with the labels MHLA_Θ(Z).
[[nodiscard]] ExactProblem realisable_problem(const std::vector<RationalMatrix>& Z,
                                              const RationalParameters& theta);

/// Λ = HᵀH/N.
[[nodiscard]] RationalMatrix second_moment(const RationalMatrix& H);

/// (1/N) Σ ‖Pᵀ H_i − y_i‖².
[[nodiscard]] Rational risk(const ExactProblem& problem, const RationalMatrix& P);

/// A minimiser of the risk over all P (ψ×o), from the normal equations.
[[nodiscard]] RationalMatrix least_squares(const ExactProblem& problem);

/// H(Z)ᵀ Λ⁺ H(Z) for a feature vector in the range of Λ. Throws BrokenInvariant outside.
[[nodiscard]] Rational leverage(const RationalMatrix& Lambda, const RationalVector& h);

/// E_jk of size d, indices from 1.
[[nodiscard]] RationalMatrix unit_matrix(Index d, Index j, Index k);

}  // namespace attest

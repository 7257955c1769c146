#pragma once

#include "core/rng/grid_law.hpp"
#include "proofs_check/exact/rational_algebra.hpp"

#include <string>
#include <vector>

namespace attest {

/// A law of one entry by its raw moments E[x^0] … E[x^6].
struct EntryMoments {
    std::string name;
    std::vector<Rational> m;

    /// E[x²]² subtracted from E[x⁴]: positive when the squares are not constant.
    [[nodiscard]] Rational kappa() const { return m[4] - m[2] * m[2]; }

    [[nodiscard]] Rational variance() const { return m[2] - m[1] * m[1]; }
};

[[nodiscard]] EntryMoments moments_of(const GridLaw& law);
[[nodiscard]] EntryMoments gaussian_moments();
/// Density exp(−|x|)/2.
[[nodiscard]] EntryMoments laplace_moments();

/// Finitely many atoms with rational values and weights.
struct Atom {
    Rational value;
    Rational weight;
};

[[nodiscard]] EntryMoments moments_of(const std::string& name, const std::vector<Atom>& atoms);

/// Λ = E[H Hᵀ] for a d×n matrix of independent entries, from its moments: ψ×ψ. H Hᵀ is a sum over
/// two tokens, which coincide with the query, with one another, or not: five cases. O(ψ² d).
[[nodiscard]] RationalMatrix population_second_moment(const EntryMoments& law, Index d, Index n);

/// The same by going through all atoms^(dn) matrices Z.
[[nodiscard]] RationalMatrix enumerated_second_moment(const std::vector<Atom>& atoms,
                                                      Index d,
                                                      Index n);

/// Covariance of pack(x xᵀ) for one column x of independent entries: q×q.
[[nodiscard]] RationalMatrix token_square_covariance(const EntryMoments& law, Index d);

/// (n−1) Cov(pack(x xᵀ)) ⊗ E[z zᵀ] + E[r rᵀ], r = pack(z zᵀ + (n−1) E[x xᵀ]) ⊗ z.
[[nodiscard]] RationalMatrix decomposed_second_moment(const EntryMoments& law, Index d, Index n);

}  // namespace attest

#pragma once

#include "core/moments/population.hpp"
#include "proofs_check/exact/rational_algebra.hpp"

#include <string>
#include <vector>

namespace attest {

[[nodiscard]] EntryMoments gaussian_moments();
/// Density exp(−|x|)/2.
[[nodiscard]] EntryMoments laplace_moments();

/// Finitely many atoms with rational values and weights.
struct Atom {
    Rational value;
    Rational weight;
};

[[nodiscard]] EntryMoments moments_of(const std::string& name, const std::vector<Atom>& atoms);

/// population_second_moment by going through all atoms^(dn) matrices Z.
[[nodiscard]] RationalMatrix enumerated_second_moment(const std::vector<Atom>& atoms,
                                                      Index d,
                                                      Index n);

/// Covariance of pack(x xᵀ) for one column x of independent entries: q×q.
[[nodiscard]] RationalMatrix token_square_covariance(const EntryMoments& law, Index d);

/// (n−1) Cov(pack(x xᵀ)) ⊗ E[z zᵀ] + E[r rᵀ], r = pack(z zᵀ + (n−1) E[x xᵀ]) ⊗ z.
[[nodiscard]] RationalMatrix decomposed_second_moment(const EntryMoments& law, Index d, Index n);

}  // namespace attest

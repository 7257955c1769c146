#pragma once

#include "core/exact/scalars.hpp"
#include "core/rng/grid_law.hpp"

#include <initializer_list>
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

/// A factor z_{row, column} of a product of entries.
struct EntryFactor {
    Index row;
    int column;
};

/// E of a product of at most six entries: independent ones factor, equal ones give a moment.
[[nodiscard]] Rational product_moment(const EntryMoments& law,
                                      std::initializer_list<EntryFactor> factors);

/// S_jk z_l, j ≤ k, as three row numbers.
struct FeatureIndex {
    Index j;
    Index k;
    Index l;
};

/// The feature in position i of Algorithm 2's order.
[[nodiscard]] FeatureIndex feature_at(Index d, Index i);

/// Λ = E[H Hᵀ] for a d×n matrix of independent entries, from its moments: ψ×ψ. H Hᵀ is a sum over
/// two tokens, which coincide with the query, with one another, or not: five cases. O(ψ² d).
[[nodiscard]] MatrixOf<Rational> population_second_moment(const EntryMoments& law,
                                                          Index d,
                                                          Index n);

}  // namespace attest

#pragma once

#include "core/moments/triangular_factor.hpp"

#include <vector>

namespace attest {

/// One step of a greedy choice.
struct Suggestion {
    Index candidate = -1;     ///< example of the pool
    double outside = 0.0;     ///< share of its features outside the row space so far, 0…1
    double leverage = 0.0;    ///< within the row space
    Index rank = 0;           ///< numerical rank after adding it
    double lambda_min = 0.0;  ///< of (1/N)Σ H Hᵀ after adding it; 0 while the rank is below ψ
    int exponent = 0;         ///< lambda_min is to be multiplied by 2^exponent
};

/// Which examples of a pool make the data identifiable: greedily the one whose features leave the
/// row space most (each raises the rank by one), and once the rank is full the one of the largest
/// leverage, which raises det Λ, and with it λ_min, most. Stops after `count` or when the pool is
/// used up. Numerical: certify the result. O(count · pool · ψ²). The exponents are 0; factor and
/// pool may be scaled alike. Throws InvalidInput where features of the pool overflow.
[[nodiscard]] std::vector<Suggestion> suggest_examples(const TriangularFactor& factor,
                                                       const MomentSource& pool,
                                                       Index count);

}  // namespace attest

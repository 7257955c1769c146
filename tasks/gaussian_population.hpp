#pragma once

#include "core/algebra/matrix.hpp"
#include "core/base/shape.hpp"

#include <array>

namespace attest {

/// Λ = E[H Hᵀ] of d×n matrices with independent grid_normal entries: computed over the rationals
/// from the law's exact moments, each entry rounded once.
[[nodiscard]] Matrix gaussian_second_moment(Index d, Index n);

/// What the best layer makes of the labels y_a = Σ_t (u_a·z_t)(v_a·z_t)(w_a·z_t) on such matrices.
struct CubicPopulation {
    Matrix best;         ///< Λ⁻¹ E[H yᵀ], ψ×o: the minimiser of the population risk
    double power = 0.0;  ///< E‖y‖²
    double floor = 0.0;  ///< E‖y − bestᵀH‖², the least risk of a layer
};

/// From the moments of the law, without sampling. The tokens other than the query add nothing to
/// E[H yᵀ]: each of their terms has an odd moment. Factors are o×d; O(o d⁶).
[[nodiscard]] CubicPopulation cubic_population(const std::array<Matrix, 3>& factors,
                                               Index d,
                                               Index n);

}  // namespace attest

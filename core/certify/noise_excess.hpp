#pragma once

#include "core/moments/triangular_factor.hpp"

namespace attest {

/// tr((P − Q)ᵀ Λ (P − Q)) = E‖PᵀH − QᵀH‖², Λ = E[H Hᵀ]. When Q minimises the population risk this
/// is the excess risk of P. P and Q are ψ×o, Λ is ψ×ψ.
[[nodiscard]] double squared_distance(const Matrix& P, const Matrix& Q, const Matrix& Lambda);

/// The law of least squares' error under Gaussian label noise, given the design: a weighted sum of
/// independent χ²₁ variables, o for each eigenvalue of σ² Λ_D^(−1/2) Λ Λ_D^(−1/2)/N.
struct NoiseExcess {
    double mean = 0.0;       ///< σ²·o·tr(Λ Λ_D⁻¹)/N
    double deviation = 0.0;  ///< standard deviation, √2 times the weights' Euclidean norm
    double largest = 0.0;    ///< the largest weight

    /// Bounds that are left with probability e^−t each (Laurent and Massart 2000, lemma 1).
    [[nodiscard]] double lower(double t) const;
    [[nodiscard]] double upper(double t) const;
};

/// The design is the factor's, RᵀR = Λ_D of rank ψ; errors are measured by Λ, the second moment of
/// whatever distribution is asked about. Throws InvalidInput when Λ_D is numerically singular.
[[nodiscard]] NoiseExcess noise_excess(const TriangularFactor& factor,
                                       const Matrix& Lambda,
                                       double sigma,
                                       Index outputs);

}  // namespace attest

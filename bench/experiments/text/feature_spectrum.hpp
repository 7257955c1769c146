#pragma once

#include "core/data/dataset.hpp"

namespace attest {

/// The ends of the spectrum of Λ_D, in double precision. The features have full rank.
struct FeatureSpectrum {
    double lambda_min = 0.0;
    double lambda_max = 0.0;
    double error = 0.0;  ///< of lambda_min, by rounding
};

/// Eigenvalues of Λ: off by ψ·ε·λ_max. Nψ² + 4ψ³/3 flops.
[[nodiscard]] FeatureSpectrum spectrum_by_eigenvalues(const Dataset& data);

/// Subspace iteration with the triangular factor R of the features, Λ = RᵀR: squares of singular
/// values off by ψ·ε·√λ_max, so that far smaller eigenvalues are seen. 3Nψ² flops and two triangles
/// of ψ² doubles; iterations of O(ψ²).
[[nodiscard]] FeatureSpectrum spectrum_by_factor(const Dataset& data);

}  // namespace attest

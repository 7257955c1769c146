#pragma once

#include "core/data/moment_source.hpp"

namespace attest {

/// Second and cross moment of a source. Λ is uncentred and in Algorithm 2's unscaled features.
struct Moments {
    Matrix Lambda;             ///< ψ×ψ, (1/N) Σ H Hᵀ, both triangles
    Matrix cross;              ///< ψ×o, (1/N) Σ H yᵀ
    double label_power = 0.0;  ///< (1/N) Σ ‖y_i‖²
    Index num_examples = 0;
};

/// Accumulates the moments block by block through explicit features of one block; never N×ψ. Nψ²
/// flops, 8ψ² bytes and a block. Rounding: |fl(Λ) − Λ| ≤ γ_{N+1} (1/N) Σ |H||H|ᵀ entrywise, plus
/// the features' own.
[[nodiscard]] Moments explicit_moments(const MomentSource& source);

}  // namespace attest

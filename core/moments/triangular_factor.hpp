#pragma once

#include "core/data/sources/moments.hpp"
#include "core/moments/power_scale.hpp"

namespace attest {

/// Householder R of the N×(ψ+o) matrix [H | y]/√N, split by columns. RᵀR = Λ_D, RᵀC = the cross
/// moment, and the least-squares problem min ‖H P − y‖²/N is min ‖R P − C‖² + residual.
struct TriangularFactor {
    Matrix R;  ///< r×ψ upper triangular (trapezoidal when N < ψ), r = min(N, ψ)
    Matrix C;  ///< r×o
    double residual =
        0.0;  ///< (1/N) Σ ‖y − Π y‖², the part of the labels outside the span of the first r
              ///< Householder columns: of the column space where R has full row rank; 0 if N ≤ ψ
    double label_power = 0.0;  ///< (1/N) Σ ‖y_i‖²
    Index num_examples = 0;
};

/// Bytes triangular_factor allocates at its peak.
[[nodiscard]] double triangular_factor_bytes(const SourceShape& shape);

/// Streams the source block by block: never more than about 2ψ rows of features in memory. Backward
/// stable: R is the factor of a matrix within a small multiple of ψ·ε of the rounded features
/// (Higham 2002, §19.3). About 3Nψ² flops. Throws InvalidInput without examples, and for features
/// beyond the doubles, EnvironmentFailure when the memory does not suffice.
[[nodiscard]] TriangularFactor triangular_factor(const MomentSource& source);

/// The triangular factor of examples that one power of two has brought to size 1.
struct ScaledFactor {
    TriangularFactor factor;
    PowerScale scale;  ///< of ScaleBy::one_power; the identity where sizes are ordinary

    /// R is to be multiplied by 2^features(), C by 2^labels.
    [[nodiscard]] int features() const {
        return scale.is_identity() ? 0 : 2 * scale.tokens.front() + scale.queries.front();
    }
};

/// One pass over the source, itself where its examples need no scaling or have no tokens at hand.
[[nodiscard]] ScaledFactor scaled_factor(const MomentSource& source);

[[nodiscard]] inline ScaledFactor scaled_factor(const Dataset& data) {
    return scaled_factor(DatasetSource(data));
}

}  // namespace attest

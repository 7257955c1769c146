#pragma once

#include "core/moments/power_scale.hpp"
#include "core/moments/triangular_factor.hpp"

namespace attest {

/// The triangular factor of examples that one power of two has brought to size 1.
struct ScaledFactor {
    TriangularFactor factor;
    PowerScale scale;  ///< of ScaleBy::one_power; the identity where sizes are ordinary

    /// R is to be multiplied by 2^features(), C by 2^labels.
    [[nodiscard]] int features() const { return 2 * scale.tokens.front() + scale.queries.front(); }
};

[[nodiscard]] inline ScaledFactor scaled_factor(const Dataset& data) {
    const PowerScale scale = power_scale(data, ScaleBy::one_power);
    return {triangular_factor(*scaled_source(data, scale)), scale};
}

}  // namespace attest

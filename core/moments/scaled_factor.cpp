#include "core/moments/scaled_factor.hpp"

#include <utility>

namespace attest {

ScaledFactor scaled_factor(const MomentSource& source) {
    if (const SequenceSource* const data = source.sequences(); data != nullptr) {
        PowerScale scale = power_scale(*data, ScaleBy::one_power);
        TriangularFactor factor = scale.is_identity()
                                      ? triangular_factor(source)
                                      : triangular_factor(*scaled_source(*data, scale));
        return {std::move(factor), std::move(scale)};
    }
    return {triangular_factor(source), {}};
}

}  // namespace attest

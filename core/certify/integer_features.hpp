#pragma once

#include "core/certify/exact_features.hpp"

namespace attest {

/// FeatureRows(data, columns) as big integers, N×columns. For small problems, witnesses and checks.
/// Throws EnvironmentFailure when the integers would not fit into memory.
[[nodiscard]] MatrixOf<Integer> integer_features(const Dataset& data,
                                                 FeatureColumns columns = FeatureColumns::features);

}  // namespace attest

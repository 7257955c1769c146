#pragma once

#include "core/base/error.hpp"
#include "core/base/text.hpp"

#include <cmath>

namespace attest {

/// Refuses what is no standard deviation of label noise. Throws InvalidInput.
inline void require_noise(double noise) {
    require(noise >= 0.0 && std::isfinite(noise),
            "noise: got {}, expected a standard deviation, a finite number from 0",
            round_trip(noise));
}

}  // namespace attest

#pragma once

#include <cstdint>

namespace attest {

/// Steele, Lea and Flood's SplitMix64: weights for screens, which decide nothing that is proved.
[[nodiscard]] constexpr std::uint64_t split_mix(std::uint64_t counter) {
    std::uint64_t x = counter * 0x9E3779B97F4A7C15U;
    x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9U;
    x = (x ^ (x >> 27U)) * 0x94D049BB133111EBU;
    return x ^ (x >> 31U);
}

}  // namespace attest

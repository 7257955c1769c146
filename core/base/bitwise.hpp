#pragma once

#include <bit>
#include <cstdint>

namespace attest {

/// Whether two doubles are the same 64 bits. The one place where equality of doubles is meant.
[[nodiscard]] inline bool bitwise_equal(double a, double b) {
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

/// Whether the value is +0 or −0.
[[nodiscard]] inline bool is_zero(double value) {
    return (std::bit_cast<std::uint64_t>(value) << 1U) == 0;
}

}  // namespace attest

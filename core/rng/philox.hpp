#pragma once

#include <array>
#include <cstdint>

namespace attest {

/// 128 bits as four words, least significant first.
using PhiloxCounter = std::array<std::uint32_t, 4>;
/// 64 bits as two words, least significant first.
using PhiloxKey = std::array<std::uint32_t, 2>;

/// Philox4x32 with ten rounds (Salmon, Moraes, Dror, Shaw, SC 2011): for each key a bijection of
/// the counters, here through Random123. A pure function, bit-identical on every machine. About 10
/// ns.
[[nodiscard]] PhiloxCounter philox(const PhiloxCounter& counter, const PhiloxKey& key);

}  // namespace attest

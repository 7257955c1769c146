#pragma once

#include <string_view>

namespace attest {

/// Bytes a process may use: the smaller of physical memory and the cgroup's limit;
/// ATTEST_MEMORY_LIMIT (bytes) overrides both. Throws InvalidInput when that variable holds no
/// positive number.
[[nodiscard]] double memory_limit();

/// Throws EnvironmentFailure when `bytes` exceeds memory_limit(); the message names the estimate,
/// the limit and `alternative`, what the caller could do instead.
void require_memory(double bytes, std::string_view what, std::string_view alternative);

/// Resident memory of this process now, and the most it ever was; 0 where the system does not say.
[[nodiscard]] double resident_bytes();
[[nodiscard]] double peak_resident_bytes();

}  // namespace attest

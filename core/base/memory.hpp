#pragma once

#include "core/base/error.hpp"

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

/// What require_memory throws: the one failure of the machine that a smaller problem avoids.
class MemoryFailure : public EnvironmentFailure {
public:
    using EnvironmentFailure::EnvironmentFailure;
};

/// Lets the process keep what it frees for what it allocates next. Otherwise glibc hands blocks
/// above 128 KB back to the kernel, which clears their pages again at every new matrix: a third of
/// the time of learning a Turing machine. For programs, at their start; the peak of memory is the
/// same.
void keep_freed_memory();

}  // namespace attest

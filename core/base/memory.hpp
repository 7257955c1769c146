#pragma once

#include "core/base/error.hpp"

#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace attest {

/// Bytes that data of this process may take: the least of the three limits below. Throws
/// InvalidInput as chosen_memory_limit.
[[nodiscard]] double memory_limit();

/// Where nobody limits anything.
inline constexpr double kNoMemoryLimit = std::numeric_limits<double>::infinity();

/// What all processes of the machine, or of the container, share: physical memory, or the least
/// limit of the control groups above this process.
[[nodiscard]] double shared_memory_limit();

/// What RLIMIT_AS and RLIMIT_DATA (ulimit -v, -d) leave beside libraries and stacks.
[[nodiscard]] double process_memory_limit();

/// ATTEST_MEMORY_LIMIT, if it is set. Throws InvalidInput where bytes_from_text finds no number.
[[nodiscard]] std::optional<double> chosen_memory_limit();

/// "2000000", "300M", "1.5g": a positive number of bytes, K, M, G or T for powers of 1024.
[[nodiscard]] std::optional<double> bytes_from_text(const std::string& text);

/// The least limit of the control groups that a text like /proc/self/cgroup names, versions 1 and
/// 2, and of those above them; their folders are below `root`.
[[nodiscard]] double container_memory_limit(const std::string& groups,
                                            const std::filesystem::path& root);

/// The bytes of the line "KEY: NUMBER kB" of a text like /proc/self/status; 0 without that line.
[[nodiscard]] double status_bytes(const std::string& status, const std::string& key);

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

/// What to say of an allocation that failed although its estimate fitted.
inline constexpr std::string_view kOutOfMemory =
    "out of memory; set ATTEST_MEMORY_LIMIT to what may be taken, as 300M: data above half of it "
    "are read in parts (docs/scale.md), or try fewer examples or a smaller d";

/// Lets the process keep what it frees for what it allocates next. Otherwise glibc hands blocks
/// above 128 KB back to the kernel, which clears their pages again at every new matrix: a third of
/// the time of learning a Turing machine. Asks for huge pages as well, of which the kernel clears
/// one where it would clear 512: half of the time of reading 36 MB. For programs, at their start;
/// the peak of memory is the same, to a huge page.
void keep_freed_memory();

}  // namespace attest

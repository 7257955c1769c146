#include "core/base/memory.hpp"

#include "core/base/text.hpp"

#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <string>

namespace attest {

namespace {

/// The positive finite number that is all of `text`, if it is one.
std::optional<double> positive_number(const std::string& text) {
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    const bool whole = !text.empty() && *end == '\0';
    return whole && value > 0.0 && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

double physical_memory() {
    return static_cast<double>(sysconf(_SC_PHYS_PAGES)) *
           static_cast<double>(sysconf(_SC_PAGESIZE));
}

}  // namespace

double memory_limit() {
    double limit = physical_memory();
    std::ifstream cgroup("/sys/fs/cgroup/memory.max");
    std::string word;
    if (cgroup >> word) {
        limit = std::min(limit, positive_number(word).value_or(limit));  // "max": no limit
    }
    const char* chosen = std::getenv("ATTEST_MEMORY_LIMIT");
    if (chosen == nullptr) {
        return limit;
    }
    const std::optional<double> bytes = positive_number(chosen);
    require(bytes.has_value(),
            "ATTEST_MEMORY_LIMIT: got '{}', expected a positive number of bytes",
            chosen);
    return *bytes;
}

void require_memory(double bytes, std::string_view what, std::string_view alternative) {
    if (bytes > memory_limit()) {
        throw MemoryFailure(formatted("{} needs about {} of memory, the limit is {}; {}",
                                      what,
                                      format_bytes(bytes),
                                      format_bytes(memory_limit()),
                                      alternative));
    }
}

double resident_bytes() {
    std::ifstream file("/proc/self/statm");
    double total = 0.0;
    double resident = 0.0;
    return file >> total >> resident ? resident * static_cast<double>(sysconf(_SC_PAGESIZE)) : 0.0;
}

double peak_resident_bytes() {
    // Not ru_maxrss: on Linux that begins at the peak of the process that started this one.
    std::ifstream file("/proc/self/status");
    double kilobytes = 0.0;
    for (std::string word; file >> word;) {
        if (word == "VmHWM:") {
            file >> kilobytes;
            break;
        }
    }
    return 1024.0 * kilobytes;
}

void keep_freed_memory() {
#ifdef __GLIBC__
    constexpr int kNeverBelow = 1 << 30;
    mallopt(M_MMAP_MAX, 0);
    mallopt(M_TRIM_THRESHOLD, kNeverBelow);
    mallopt(M_TOP_PAD, 1 << 24);
#endif
}

}  // namespace attest

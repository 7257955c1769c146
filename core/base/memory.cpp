#include "core/base/memory.hpp"

#include "core/base/text.hpp"

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <sstream>
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

std::string text_of(const std::filesystem::path& path) {
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

/// The least limit in the files of this name in the folders from root/group up to root. Inside a
/// container the group may be named as the machine sees it, and only the root be there.
double least_upwards(const std::filesystem::path& root,
                     std::filesystem::path group,
                     const char* name) {
    double least = kNoMemoryLimit;
    while (true) {
        std::ifstream file(root / group / name);
        std::string word;
        if (file >> word) {
            least = std::min(least, positive_number(word).value_or(kNoMemoryLimit));  // "max": none
        }
        if (group.empty()) {
            return least;
        }
        group = group.parent_path();
    }
}

double soft_limit(decltype(RLIMIT_AS) resource) {
    rlimit limit{};
    return getrlimit(resource, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY
               ? static_cast<double>(limit.rlim_cur)
               : kNoMemoryLimit;
}

/// What a limit on address space leaves for data: all but libraries, stacks and what else is mapped
/// and not resident. `kind` is a line of /proc/self/status, the space that the limit counts.
double left_by(double limit, const std::string& status, const std::string& kind) {
    if (!std::isfinite(limit)) {
        return limit;
    }
    const double other = status_bytes(status, kind) - status_bytes(status, "RssAnon");
    return std::max(limit - std::max(other, 0.0), 1.0);
}

}  // namespace

double status_bytes(const std::string& status, const std::string& key) {
    std::istringstream words(status);
    for (std::string word; words >> word;) {
        double kilobytes = 0.0;
        if (word == key + ":" && words >> kilobytes) {
            return 1024.0 * kilobytes;
        }
    }
    return 0.0;
}

std::optional<double> bytes_from_text(const std::string& text) {
    static constexpr std::string_view kUnits = "KMGT";
    std::string number = text;
    double unit = 1.0;
    if (!text.empty()) {
        const auto letter =
            static_cast<char>(std::toupper(static_cast<unsigned char>(text.back())));
        if (const std::size_t power = kUnits.find(letter); power != std::string_view::npos) {
            unit = std::pow(1024.0, static_cast<double>(power + 1));
            number.pop_back();
        }
    }
    const std::optional<double> count = positive_number(number);
    return count && std::isfinite(*count * unit) ? std::optional(*count * unit) : std::nullopt;
}

double container_memory_limit(const std::string& groups, const std::filesystem::path& root) {
    double least = kNoMemoryLimit;
    std::istringstream lines(groups);
    for (std::string line; std::getline(lines, line);) {  // NUMBER:CONTROLLERS:/GROUP
        const std::size_t first = line.find(':');
        const std::size_t second = line.find(':', first + 1);
        if (first == std::string::npos || second == std::string::npos) {
            continue;
        }
        const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
        const std::filesystem::path group =
            std::filesystem::path(line.substr(second + 1)).relative_path();
        if (controllers == ",,") {  // version 2
            for (const char* const place : {"", "unified"}) {
                least = std::min(least, least_upwards(root / place, group, "memory.max"));
            }
        } else if (controllers.find(",memory,") != std::string::npos) {
            least = std::min(least, least_upwards(root / "memory", group, "memory.limit_in_bytes"));
        }
    }
    return least;
}

double shared_memory_limit() {
    return std::min(physical_memory(),
                    container_memory_limit(text_of("/proc/self/cgroup"), "/sys/fs/cgroup"));
}

std::optional<double> chosen_memory_limit() {
    const char* chosen = std::getenv("ATTEST_MEMORY_LIMIT");
    if (chosen == nullptr) {
        return std::nullopt;
    }
    const std::optional<double> bytes = bytes_from_text(chosen);
    require(bytes.has_value(),
            "ATTEST_MEMORY_LIMIT: got '{}', expected a positive number of bytes, as 2000000, 300M "
            "or 4G",
            chosen);
    return bytes;
}

double process_memory_limit() {
    const double space = soft_limit(RLIMIT_AS);
    const double data = soft_limit(RLIMIT_DATA);
    if (!std::isfinite(space) && !std::isfinite(data)) {
        return kNoMemoryLimit;
    }
    const std::string status = text_of("/proc/self/status");
    return std::min(left_by(space, status, "VmSize"), left_by(data, status, "VmData"));
}

double memory_limit() {
    return std::min({shared_memory_limit(),
                     process_memory_limit(),
                     chosen_memory_limit().value_or(kNoMemoryLimit)});
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
    return status_bytes(text_of("/proc/self/status"), "VmHWM");
}

void keep_freed_memory() {
// Address sanitizer's own allocator keeps what is freed, and would mark every byte of the space
// asked for.
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)
    constexpr int kNever = -1;
    mallopt(M_MMAP_MAX, 0);
    mallopt(M_TRIM_THRESHOLD, kNever);
    mallopt(M_TOP_PAD, 1 << 24);
    if (std::isfinite(process_memory_limit())) {
        return;  // address space counts there
    }
    // The end of the heap, from which everything large will come: address space, no memory yet.
    constexpr std::size_t kHugePage = std::size_t{1} << 21U;
    const auto bytes = static_cast<std::size_t>(0.5 * physical_memory());
    void* const space = std::malloc(bytes);  // NOLINT(*-no-malloc)
    if (space == nullptr) {
        return;
    }
    void* first = space;
    std::size_t left = bytes;
    if (std::align(kHugePage, kHugePage, first, left) != nullptr) {
        // Advice that the kernel may not know.
        madvise(first, left / kHugePage * kHugePage, MADV_HUGEPAGE);
    }
    std::free(space);  // NOLINT(*-no-malloc)
#endif
}

}  // namespace attest

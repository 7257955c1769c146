#include "core/base/memory.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string>

namespace attest {

namespace {

double positive_number(const std::string& text, double fallback) {
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    return end != text.c_str() && value > 0.0 ? value : fallback;
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
        limit = std::min(limit, positive_number(word, limit));
    }
    const char* chosen = std::getenv("ATTEST_MEMORY_LIMIT");  // NOLINT(concurrency-mt-unsafe)
    return chosen == nullptr ? limit : positive_number(chosen, limit);
}

void require_memory(double bytes, std::string_view what, std::string_view alternative) {
    if (bytes > memory_limit()) {
        throw EnvironmentFailure(concat(what,
                                        " needs about ",
                                        format_bytes(bytes),
                                        " of memory, the limit is ",
                                        format_bytes(memory_limit()),
                                        "; ",
                                        alternative));
    }
}

}  // namespace attest

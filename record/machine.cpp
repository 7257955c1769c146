#include "record/machine.hpp"

#include "core/base/sha256.hpp"
#include "core/base/text.hpp"

#include <sched.h>
#include <sys/utsname.h>

#include <array>
#include <chrono>
#include <ctime>
#include <fstream>
#include <span>

namespace attest {

namespace {

constexpr const char* kUnknown = "unknown";

std::string trimmed(const std::string& text, const char* surplus) {
    const std::size_t first = text.find_first_not_of(surplus);
    if (first == std::string::npos) {
        return "";
    }
    return text.substr(first, text.find_last_not_of(surplus) - first + 1);
}

// The value of the first line "key<separator>value" of a file.
std::string value_in_file(const char* path, const std::string& key, char separator) {
    std::ifstream file(path);
    std::string line;
    while (std::getline(file, line)) {
        const std::size_t split = line.find(separator);
        if (split != std::string::npos && trimmed(line.substr(0, split), " \t") == key) {
            return trimmed(line.substr(split + 1), " \t\"");
        }
    }
    return kUnknown;
}

}  // namespace

std::string cpu_model() {
    return value_in_file("/proc/cpuinfo", "model name", ':');
}

std::uint64_t usable_cpus() {
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof(set), &set) != 0) {
        return 0;
    }
    return static_cast<std::uint64_t>(CPU_COUNT(&set));
}

std::string operating_system() {
    utsname kernel{};
    if (uname(&kernel) != 0) {
        return kUnknown;
    }
    return formatted("{}, {} {}, {}",
                     value_in_file("/etc/os-release", "PRETTY_NAME", '='),
                     static_cast<const char*>(kernel.sysname),
                     static_cast<const char*>(kernel.release),
                     static_cast<const char*>(kernel.machine));
}

std::string utc_now() {
    const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    std::tm parts{};
    gmtime_r(&now, &parts);
    std::array<char, 32> text{};
    const std::size_t length =
        std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
    return {text.data(), length};
}

std::string executable_digest() {
    std::ifstream file("/proc/self/exe", std::ios::binary);
    if (!file) {
        return kUnknown;
    }
    Sha256 hash;
    std::array<char, 65536> buffer{};
    while (file.read(buffer.data(), buffer.size()) || file.gcount() > 0) {
        hash.update(
            std::as_bytes(std::span(buffer.data(), static_cast<std::size_t>(file.gcount()))));
    }
    return hash.hex();
}

}  // namespace attest

#pragma once

#include <string>
#include <vector>

namespace attest::checker_test {

struct Limits {
    int seconds;     ///< of processor time
    long megabytes;  ///< of address space; not for a program built with AddressSanitizer
};

struct Outcome {
    int code;  ///< exit code, or 128 + the signal that ended it
    std::string output;
    std::string errors;
};

/// Runs a program under these limits.
[[nodiscard]] Outcome run_limited(const std::vector<std::string>& command, const Limits& limits);

}  // namespace attest::checker_test

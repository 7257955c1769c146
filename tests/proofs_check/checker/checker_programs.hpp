#pragma once

#include "tests/support/temporary_folder.hpp"

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

constexpr Limits kLimits{10, 1000};

/// A proof, its data and perhaps its queries, as paths.
using Case = std::vector<std::string>;

/// The exit code with what is said about the proof: "0 VERIFIED claim", "1 REJECTED: line N", "4".
/// The reason is each checker's own.
[[nodiscard]] std::string verdict_of(int code, const std::string& line);

[[nodiscard]] std::string attest_check(const Case& files, const Limits& limits = kLimits);

[[nodiscard]] Outcome python_check(const std::vector<std::string>& arguments,
                                   const Limits& limits = kLimits);

/// What both say of each, as verdict_of; a test failure where they differ. The Python checker takes
/// all cases in one process, under the limits of one.
[[nodiscard]] std::vector<std::string> agreed(const test::TemporaryFolder& folder,
                                              const std::vector<Case>& cases);

}  // namespace attest::checker_test

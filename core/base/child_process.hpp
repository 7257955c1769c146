#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace attest {

/// What a finished child process left behind.
struct ChildResult {
    int code = -1;         ///< exit code; −1 when a signal ended it
    std::string out = {};  ///< its standard output
};

/// Changes to the environment of a child: a value, or nothing to remove the variable.
using EnvironmentChanges = std::map<std::string, std::optional<std::string>>;

/// Runs a program (words[0], looked up in PATH unless it holds a slash) with the other words as
/// arguments, and waits for it. Its standard error is ours. Throws NotAvailable when it cannot be
/// started, EnvironmentFailure when no pipe can be opened.
[[nodiscard]] ChildResult run_child(const std::vector<std::string>& words,
                                    const EnvironmentChanges& changes = {});

/// The folder of the program that runs.
[[nodiscard]] std::string program_folder();

}  // namespace attest

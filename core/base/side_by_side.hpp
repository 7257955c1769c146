#pragma once

#include <functional>
#include <string>
#include <vector>

namespace attest {

/// Runs parts of a program side by side, begun in their order and at most `jobs` at a time, each in
/// a process forked from this one: what a part changes in memory no other sees. What parts print on
/// standard output comes whole and in their order; standard error is shared. Returns what each
/// returned.
///
/// A part that throws ends the run: no other is begun, those under way end, and the first exception
/// in the order of parts is thrown here, as its type of error.hpp, Interrupted or std::bad_alloc,
/// any other as BrokenInvariant. A part that a signal ended throws EnvironmentFailure. Once the
/// user asked to stop (interrupt.hpp) the parts under way are told, and Interrupted is thrown. When
/// this process is killed, so are they. Only for a process of one thread. Throws InvalidInput
/// unless jobs ≥ 1.
[[nodiscard]] std::vector<std::string> run_side_by_side(
    const std::vector<std::function<std::string()>>& parts, int jobs);

}  // namespace attest

#pragma once

#include "core/solve/solvers.hpp"

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace attest::test {

/// Those of the solvers named that this build has: without LAPACKE there is no gels, gelsy or
/// gelsd.
[[nodiscard]] inline std::vector<std::string> present_solvers(
    std::initializer_list<std::string_view> names) {
    std::vector<std::string> present;
    for (const std::string_view name : names) {
        const auto is_named = [&](const Solver& solver) { return solver.name == name; };
        if (name == "auto" || std::any_of(solvers().begin(), solvers().end(), is_named)) {
            present.emplace_back(name);
        }
    }
    return present;
}

}  // namespace attest::test

#pragma once

#include "cli/command.hpp"
#include "proofs_check/claims/registry.hpp"

#include <vector>

namespace attest::cli {

/// What claims come to, as the exit code of whatever ran them: 1 if one differs from what is
/// documented, else 3 if one is undecided.
[[nodiscard]] ExitCode claims_code(const std::vector<Agreement>& claims);

}  // namespace attest::cli

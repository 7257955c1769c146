#pragma once

#include "proofs_check/claims/registry.hpp"

#include <string>
#include <vector>

namespace attest {

/// Whether the claim finds something in the print that its authors may want to know.
[[nodiscard]] bool is_erratum(const Claim& claim);

/// docs/errata.md: for each erratum among the results its place, the print, the smallest
/// counterexample (the first finding that refutes the print, or its hypothesis), the repair, and
/// the command that shows it again; then the remarks on proofs whose statements stand.
[[nodiscard]] std::string errata_markdown(const std::vector<ClaimResult>& results);

}  // namespace attest

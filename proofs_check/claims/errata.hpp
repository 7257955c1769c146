#pragma once

#include "proofs_check/claims/registry.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attest {

/// Whether the claim finds something in the print that its authors may want to know.
[[nodiscard]] bool is_erratum(const Claim& claim);

/// The first finding against the print; against its hypothesis or the tested form, if none is.
/// Empty where nothing is refuted.
[[nodiscard]] std::string refuting_finding(const ClaimResult& result);

/// Names and what is said under them, plain text.
using ErratumLines = std::vector<std::pair<std::string_view, std::string>>;

/// A claim's place as heading, a line for each name whose text is not empty, and the command that
/// shows its evidence again.
[[nodiscard]] std::string erratum_entry(const Claim& claim, const ErratumLines& lines);

/// docs/errata.md: for each erratum among the results its place, the print, the smallest
/// counterexample (the first finding that refutes the print, or its hypothesis), the repair, and
/// the command that shows it again; then the remarks on proofs whose statements stand.
[[nodiscard]] std::string errata_markdown(const std::vector<ClaimResult>& results);

}  // namespace attest

#pragma once

#include "proofs_check/claims/registry.hpp"
#include "record/checked_case.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace attest {

/// "holds after correction" for people.
[[nodiscard]] std::string words(Outcome outcome);
/// "missing hypothesis" for people.
[[nodiscard]] std::string words(Severity severity);

/// "leverage.v: leverage_bound (in part: the first inequality)"; empty if there are no theorems.
[[nodiscard]] std::string words(const MachineChecked& checked);

/// Text inside a line of Markdown: nothing in it is markup.
[[nodiscard]] std::string markdown_text(std::string_view text);

/// One line a claim: id, outcome, documented outcome where it differs, method, checks, seconds.
[[nodiscard]] std::string outcome_table(const std::vector<ClaimResult>& results);

/// The statement, the argument and every finding of one claim, for a terminal.
[[nodiscard]] std::string explanation(const ClaimResult& result);

/// Array of {id, paper, outcome_documented, method, severity, machine_checked}.
[[nodiscard]] nlohmann::ordered_json claim_list(const std::vector<const Claim*>& claims);

/// Array of {form, verdict, precision, text}.
[[nodiscard]] nlohmann::ordered_json findings_json(const std::vector<Finding>& findings);

/// {profile, claims: [{id, paper, place, method, outcome, outcome_documented, reason, seconds,
/// findings: [{form, verdict, precision, text}]}], as_documented, different, undecided}.
[[nodiscard]] nlohmann::ordered_json claim_results(const std::vector<ClaimResult>& results,
                                                   Profile profile);

/// A case a claim: failed with another outcome than documented, open where it is undecided.
[[nodiscard]] std::vector<CheckedCase> checked_cases(const std::vector<ClaimResult>& results);

/// CLAIMS.md: counts and the findings that matter, a map of the paper, a table of the claims, and
/// every claim in full without run times.
[[nodiscard]] std::string claims_markdown(const std::vector<ClaimResult>& results);

}  // namespace attest

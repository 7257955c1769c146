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

/// Where the evidence of a claim stands: "docs/claims/yau2024.md".
[[nodiscard]] std::string evidence_page(std::string_view id);

/// A page of Markdown, and its path below the root of the project.
struct MarkdownPage {
    std::string path;
    std::string text;
};

/// A page of evidence for each paper or subject, with every claim in full and no run times; then
/// CLAIMS.md: counts, the findings that matter, a map of the paper, and a line a claim.
[[nodiscard]] std::vector<MarkdownPage> claims_markdown(const std::vector<ClaimResult>& results);

}  // namespace attest

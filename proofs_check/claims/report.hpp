#pragma once

#include "proofs_check/claims/registry.hpp"
#include "record/checked_case.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace attest {

/// "holds after correction" for people.
[[nodiscard]] std::string words(Outcome outcome);
/// "missing hypothesis" for people.
[[nodiscard]] std::string words(Severity severity);

/// The verdict of a finding for people. Of a control: "noticed" or "not noticed", the planted
/// fault; "accepted" or "refused", an input that its test should accept.
[[nodiscard]] std::string_view verdict_words(const Finding& finding);

/// What has been seen to fail of a claim's checks.
enum class ControlKind : std::uint8_t {
    none,            ///< nothing: the claim did not run, or noticed nothing
    accepted_input,  ///< the test that refuses the statement accepts an input where it holds
    refuted_print,   ///< the print is the fault, and the test that refuses it accepts the tested
                     ///< form
    planted_fault,   ///< the statement's own test refuses it
};

[[nodiscard]] std::string_view to_string(ControlKind kind);

/// Of several the last in the order above.
[[nodiscard]] ControlKind control_kind(const Evidence& evidence);

/// The same in a sentence: why nothing is planted, where nothing is. Empty for none.
[[nodiscard]] std::string_view control_sentence(ControlKind kind);

/// "attest verify yau2024/lemma_a5", with the file of a user's own claim.
[[nodiscard]] std::string verify_command(const Claim& claim);

/// "leverage.v: leverage_bound (in part: the first inequality)"; empty if there are no theorems.
[[nodiscard]] std::string words(const MachineChecked& checked);

/// Text inside a line of Markdown: nothing in it is markup.
[[nodiscard]] std::string markdown_text(std::string_view text);

/// One line a claim: id, outcome, documented outcome where it differs, method, checks, seconds.
[[nodiscard]] std::string outcome_table(const std::vector<ClaimResult>& results);

/// A line for each claim that nothing decided, with the reason; empty where all are decided.
[[nodiscard]] std::string open_reasons(const std::vector<ClaimResult>& results);

/// The statement, the argument and every finding of one claim, for a terminal.
[[nodiscard]] std::string explanation(const ClaimResult& result);

/// Array of {id, paper, outcome_documented, method, severity, machine_checked}.
[[nodiscard]] nlohmann::ordered_json claim_list(const std::vector<const Claim*>& claims);

/// Array of {form, verdict, said, precision, text}; `said` is verdict_words.
[[nodiscard]] nlohmann::ordered_json findings_json(const std::vector<Finding>& findings);

/// {profile, claims: [{id, paper, place, method, outcome, outcome_documented, severity, reason,
/// printed, tested, deviation, argument, control, seconds, findings}], as_documented, different,
/// undecided}; findings as findings_json.
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
/// CLAIMS.md: counts, the findings that matter, a map of the paper, and a line a claim. With a
/// user's own claims among them CLAIMS.md has the line a claim alone.
[[nodiscard]] std::vector<MarkdownPage> claims_markdown(const std::vector<ClaimResult>& results);

}  // namespace attest

#include "proofs_check/claims/report.hpp"

#include "core/base/text.hpp"
#include "proofs_check/claims/errata.hpp"
#include "record/table.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace attest {

namespace {

std::string findings_line(const Finding& finding) {
    return formatted("{} · {} · {}: {}",
                     to_string(finding.form),
                     to_string(finding.verdict),
                     finding.precision,
                     finding.text);
}

CheckOutcome check_outcome(const ClaimResult& result) {
    return result.differs()   ? CheckOutcome::failed
           : result.decided() ? CheckOutcome::passed
                              : CheckOutcome::open;
}

/// What came out; of a check with random draws also how often it is wrong, and how to draw anew.
std::string said_of(const ClaimResult& result) {
    const Claim& claim = *result.claim;
    std::string text = formatted("{}, documented: {}{}{}",
                                 words(result.outcome),
                                 words(claim.documented),
                                 result.reason.empty() ? "" : ": ",
                                 result.reason);
    if (!claim.false_alarm.empty()) {
        text += formatted(
            "; refuted though true with probability at most {}: draw anew by `attest verify {} "
            "--seed 1`",
            claim.false_alarm,
            claim.id);
    }
    return text;
}

}  // namespace

std::string words(Outcome outcome) {
    std::string text(to_string(outcome));
    std::replace(text.begin(), text.end(), '_', ' ');
    return text;
}

std::string words(Severity severity) {
    std::string text(to_string(severity));
    std::replace(text.begin(), text.end(), '_', ' ');
    return text;
}

std::string words(const MachineChecked& checked) {
    const std::string part(checked.part);
    return std::string(checked.theorems) + (part.empty() ? "" : " (in part: " + part + ")");
}

std::string outcome_table(const std::vector<ClaimResult>& results) {
    Table table;
    const NumberFormat seconds{NumberFormat::Style::fixed, 2};
    table.columns = {{"claim", Alignment::left},
                     {"outcome", Alignment::left},
                     {"documented", Alignment::left},
                     {"method", Alignment::left},
                     {"checks", Alignment::right},
                     {"seconds", Alignment::right, seconds}};
    for (const ClaimResult& result : results) {
        const bool same = result.outcome == result.claim->documented;
        table.rows.push_back({std::string(result.claim->id),
                              words(result.outcome),
                              same ? std::string("the same") : words(result.claim->documented),
                              std::string(to_string(result.claim->method)),
                              static_cast<std::int64_t>(result.evidence.findings().size()),
                              result.seconds});
    }
    return to_terminal(table);
}

std::string explanation(const ClaimResult& result) {
    const Claim& claim = *result.claim;
    std::string text = formatted("{} ({} of {}): {}{}{}\n  printed    {}\n  tested     {}",
                                 claim.id,
                                 claim.place,
                                 claim.paper,
                                 words(result.outcome),
                                 result.reason.empty() ? "" : ": ",
                                 result.reason,
                                 claim.printed,
                                 claim.tested);
    if (!claim.deviation.empty()) {
        text += formatted("\n  deviation  {}", claim.deviation);
    }
    if (is_erratum(claim)) {
        text += formatted("\n  severity   {}", words(claim.severity));
    }
    if (!claim.remark.empty()) {
        text += formatted("\n  remark     {}", claim.remark);
    }
    if (!claim.false_alarm.empty()) {
        text += formatted("\n  level      refuted though true with probability at most {}",
                          claim.false_alarm);
    }
    text += formatted("\n  argument   {}", claim.explain);
    if (!claim.machine_checked.theorems.empty()) {
        text += formatted("\n  machine-checked {}", words(claim.machine_checked));
    }
    if (!claim.depends_on.empty()) {
        text += formatted("\n  depends on {}", claim.depends_on);
    }
    for (const Finding& finding : result.evidence.findings()) {
        text += "\n  - " + findings_line(finding);
    }
    return text + "\n";
}

nlohmann::ordered_json claim_list(const std::vector<const Claim*>& claims) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const Claim* claim : claims) {
        list.push_back({{"id", claim->id},
                        {"paper", claim->paper},
                        {"outcome_documented", to_string(claim->documented)},
                        {"method", to_string(claim->method)},
                        {"severity", to_string(claim->severity)},
                        {"machine_checked", words(claim->machine_checked)}});
    }
    return list;
}

nlohmann::ordered_json findings_json(const std::vector<Finding>& findings) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const Finding& finding : findings) {
        list.push_back({{"form", to_string(finding.form)},
                        {"verdict", to_string(finding.verdict)},
                        {"precision", finding.precision},
                        {"text", finding.text}});
    }
    return list;
}

nlohmann::ordered_json claim_results(const std::vector<ClaimResult>& results, Profile profile) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    std::int64_t different = 0;
    std::int64_t undecided = 0;
    for (const ClaimResult& result : results) {
        list.push_back({{"id", result.claim->id},
                        {"paper", result.claim->paper},
                        {"place", result.claim->place},
                        {"method", to_string(result.claim->method)},
                        {"outcome", to_string(result.outcome)},
                        {"outcome_documented", to_string(result.claim->documented)},
                        {"severity", to_string(result.claim->severity)},
                        {"reason", result.reason},
                        {"seconds", result.seconds},
                        {"findings", findings_json(result.evidence.findings())}});
        different += result.differs() ? 1 : 0;
        undecided += result.decided() ? 0 : 1;
    }
    const auto total = static_cast<std::int64_t>(results.size());
    return {{"profile", to_string(profile)},
            {"claims", list},
            {"as_documented", total - different - undecided},
            {"different", different},
            {"undecided", undecided}};
}

std::vector<CheckedCase> checked_cases(const std::vector<ClaimResult>& results) {
    std::vector<CheckedCase> cases;
    for (const ClaimResult& result : results) {
        const CheckOutcome outcome = check_outcome(result);
        cases.push_back({std::string(result.claim->paper),
                         std::string(result.claim->id),
                         outcome,
                         outcome == CheckOutcome::passed ? "" : said_of(result),
                         evidence_page(result.claim->id),
                         result.seconds});
    }
    return cases;
}

}  // namespace attest

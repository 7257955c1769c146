#include "proofs_check/claims/report.hpp"

#include "core/base/choice.hpp"
#include "core/base/text.hpp"
#include "proofs_check/claims/errata.hpp"
#include "record/table.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace attest {

namespace {

constexpr std::size_t kColumns = 100;

constexpr Choices<ControlKind, 4> kControlKinds{{{ControlKind::none, "none"},
                                                 {ControlKind::accepted_input, "accepted_input"},
                                                 {ControlKind::refuted_print, "refuted_print"},
                                                 {ControlKind::planted_fault, "planted_fault"}}};

/// Lines of at most kColumns, broken between words; all but the first begin with the indent.
std::string wrapped(const std::string& text, std::size_t indent) {
    std::string lines;
    std::size_t column = indent;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find(' ', at), text.size());
        const std::size_t length = end - at;
        if (column > indent && column + 1 + length > kColumns) {
            lines += "\n" + std::string(indent, ' ');
            column = indent;
        } else if (column > indent) {
            lines += ' ';
            ++column;
        }
        lines.append(text, at, length);
        column += length;
        at = end + 1;
    }
    return lines;
}

std::string findings_line(const Finding& finding) {
    return formatted("{} · {} · {}: {}",
                     to_string(finding.form),
                     verdict_words(finding),
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
            "; refuted though true with probability at most {}: draw anew by `{} --seed 1`",
            claim.false_alarm,
            verify_command(claim));
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

std::string_view verdict_words(const Finding& finding) {
    if (finding.form != Form::control || finding.verdict == Verdict::inconclusive) {
        return to_string(finding.verdict);
    }
    const bool as_it_should = finding.verdict == Verdict::holds;
    const bool fault = finding.test == 0 || finding.accepted != as_it_should;
    return fault ? (as_it_should ? "noticed" : "not noticed")
                 : (as_it_should ? "accepted" : "refused");
}

std::string_view to_string(ControlKind kind) {
    return name_of(kControlKinds, kind);
}

ControlKind control_kind(const Evidence& evidence) {
    ControlKind kind = ControlKind::none;
    for (const Finding& statement : evidence.findings()) {
        for (const Finding& other : evidence.findings()) {
            const bool same = statement.form != Form::control && statement.test > 0 &&
                              other.test == statement.test && other.accepted != statement.accepted;
            if (same) {
                kind = std::max(kind,
                                other.form != Form::control ? ControlKind::refuted_print
                                : other.accepted            ? ControlKind::accepted_input
                                                            : ControlKind::planted_fault);
            }
        }
    }
    return kind;
}

std::string_view control_sentence(ControlKind kind) {
    switch (kind) {
        case ControlKind::planted_fault:
            return "the statement's own test, run on a planted fault, refuses it";
        case ControlKind::refuted_print:
            return "nothing is planted: the print is the fault, and the test that refuses it "
                   "accepts what is right";
        case ControlKind::accepted_input:
            return "nothing is planted: the finding is a refusal, and its test accepts an input "
                   "where the statement holds";
        case ControlKind::none:
            break;
    }
    return "";
}

std::string words(const MachineChecked& checked) {
    const std::string part(checked.part);
    return std::string(checked.theorems) + (part.empty() ? "" : " (in part: " + part + ")");
}

std::string verify_command(const Claim& claim) {
    return formatted(
        "attest verify {}{}{}", claim.source, claim.source.empty() ? "" : " ", claim.id);
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

std::string open_reasons(const std::vector<ClaimResult>& results) {
    std::string text;
    for (const ClaimResult& result : results) {
        if (result.decided()) {
            continue;
        }
        std::string reason = result.reason;
        for (const Finding& finding : result.evidence.findings()) {
            const bool open =
                finding.verdict == Verdict::inconclusive ||
                (finding.form == Form::control && finding.verdict == Verdict::violated);
            if (reason.empty() && open) {
                reason = findings_line(finding);
            }
        }
        const std::string line = formatted("{} is {}{}{}",
                                           result.claim->id,
                                           words(result.outcome),
                                           reason.empty() ? "" : ": ",
                                           reason);
        text += wrapped(line, 2).insert(0, "  ") + "\n";
    }
    return text;
}

std::string explanation(const ClaimResult& result) {
    const Claim& claim = *result.claim;
    std::string text = formatted("{} ({} of {}): {}{}{}\n",
                                 claim.id,
                                 claim.place,
                                 claim.paper,
                                 words(result.outcome),
                                 result.reason.empty() ? "" : ": ",
                                 result.reason);
    const auto line = [&](const std::string& name, const std::string& content) {
        constexpr std::size_t kIndent = 13;
        if (!content.empty()) {
            const std::string label =
                name + std::string(name.size() < kIndent - 3 ? kIndent - 2 - name.size() : 1, ' ');
            text += "  " + label + wrapped(content, kIndent) + "\n";
        }
    };
    line("printed", std::string(claim.printed));
    line("tested", std::string(claim.tested));
    line("deviation", std::string(claim.deviation));
    line("severity", is_erratum(claim) ? words(claim.severity) : "");
    line("remark", std::string(claim.remark));
    line("level",
         claim.false_alarm.empty()
             ? ""
             : formatted("refuted though true with probability at most {}", claim.false_alarm));
    line("argument", std::string(claim.explain));
    line("machine-checked", words(claim.machine_checked));
    line("depends on", std::string(claim.depends_on));
    text += "\n  evidence\n";
    for (const Finding& finding : result.evidence.findings()) {
        text += "  - " + wrapped(findings_line(finding), 4) + "\n";
    }
    const std::string can_fail(control_sentence(control_kind(result.evidence)));
    return text + (can_fail.empty() ? "" : "  - " + wrapped("can fail: " + can_fail, 4) + "\n");
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
                        {"said", verdict_words(finding)},
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
                        {"printed", result.claim->printed},
                        {"tested", result.claim->tested},
                        {"deviation", result.claim->deviation},
                        {"argument", result.claim->explain},
                        {"control", to_string(control_kind(result.evidence))},
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
        cases.push_back({.group = std::string(result.claim->paper),
                         .name = std::string(result.claim->id),
                         .outcome = outcome,
                         .message = outcome == CheckOutcome::passed ? "" : said_of(result),
                         .file = result.claim->source.empty() ? evidence_page(result.claim->id)
                                                              : std::string(result.claim->source),
                         .seconds = result.seconds});
    }
    return cases;
}

}  // namespace attest

#include "report/claim_rows.hpp"

#include "core/base/error.hpp"
#include "core/base/json_text.hpp"
#include "core/base/text.hpp"
#include "proofs_check/claims/report.hpp"
#include "record/cells.hpp"
#include "record/jsonl.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace attest {

namespace {

using Json = nlohmann::ordered_json;

Json evidence_of(const ClaimResult& result) {
    const Claim& claim = *result.claim;
    Json evidence{{"paper", claim.paper},
                  {"place", claim.place},
                  {"method", to_string(claim.method)},
                  {"outcome", words(result.outcome)},
                  {"outcome_documented", words(claim.documented)},
                  {"severity", words(claim.severity)},
                  {"reason", result.reason},
                  {"printed", claim.printed},
                  {"tested", claim.tested},
                  {"deviation", claim.deviation},
                  {"depends_on", claim.depends_on},
                  {"explain", claim.explain},
                  {"machine_checked", words(claim.machine_checked)},
                  {"findings", findings_json(result.evidence.findings())}};
    if (!claim.source.empty()) {
        evidence["source"] = claim.source;
    }
    return evidence;
}

/// A claim that could not be run, or stopped, is tried again by --resume: its row is not ok.
RowStatus status_of(const ClaimResult& result) {
    if (result.outcome == Outcome::skipped) {
        return RowStatus::skipped;
    }
    return result.reason.empty() ? RowStatus::ok : RowStatus::failed;
}

CaseOutcome outcome_of_case(const ClaimResult& result) {
    const auto& findings = result.evidence.findings();
    const auto violated =
        std::count_if(findings.begin(), findings.end(), [](const Finding& finding) {
            return finding.verdict == Verdict::violated;
        });
    return {.metrics = {{"checks", {.value = static_cast<double>(findings.size())}},
                        {"violated", {.value = static_cast<double>(violated)}}},
            .status = status_of(result),
            .message = result.reason,
            .evidence = json_text(evidence_of(result))};
}

/// The value whose text, as `text_of` says it, is this one.
template <class Value, std::size_t Count, class TextOf>
Value value_of(const std::array<Value, Count>& values, TextOf text_of, const std::string& text) {
    const auto found = std::find_if(
        values.begin(), values.end(), [&](Value value) { return text_of(value) == text; });
    require(found != values.end(), "claim row: got '{}', expected a known word", text);
    return *found;
}

Outcome outcome_from(const std::string& text) {
    constexpr std::array kOutcomes{Outcome::holds,
                                   Outcome::holds_after_correction,
                                   Outcome::false_as_printed,
                                   Outcome::vacuous,
                                   Outcome::inconclusive,
                                   Outcome::skipped};
    return value_of(
        kOutcomes, [](Outcome outcome) { return words(outcome); }, text);
}

Form form_from(const std::string& text) {
    constexpr std::array kForms{Form::printed, Form::tested, Form::hypothesis, Form::control};
    return value_of(
        kForms, [](Form form) { return to_string(form); }, text);
}

Verdict verdict_from(const std::string& text) {
    constexpr std::array kVerdicts{Verdict::holds, Verdict::violated, Verdict::inconclusive};
    return value_of(
        kVerdicts, [](Verdict verdict) { return to_string(verdict); }, text);
}

/// Rows of before say of a control no more than its verdict.
FindingRow finding_row(const Json& finding, const std::string& claim) {
    const Finding found{form_from(text_member(finding, "form", claim)),
                        verdict_from(text_member(finding, "verdict", claim)),
                        text_member(finding, "text", claim),
                        text_member(finding, "precision", claim)};
    const std::string said(verdict_words(found));
    return {found.form, finding.value("said", said), found.precision, found.text};
}

ClaimRow claim_row(const Row& row, std::size_t position) {
    ClaimRow claim;
    claim.id = row.key.task;
    claim.row = position;
    if (row.evidence.empty()) {
        claim.reason = row.message;
        return claim;
    }
    const Json evidence = parse_json(row.evidence, claim.id);
    const auto text = [&](const char* key) { return text_member(evidence, key, claim.id); };
    claim.paper = text("paper");
    claim.place = text("place");
    claim.method = text("method");
    claim.outcome = outcome_from(text("outcome"));
    claim.documented = outcome_from(text("outcome_documented"));
    claim.severity = evidence.value("severity", "");
    claim.reason = text("reason");
    claim.printed = text("printed");
    claim.tested = text("tested");
    claim.deviation = text("deviation");
    claim.depends_on = text("depends_on");
    claim.explain = text("explain");
    claim.machine_checked = evidence.value("machine_checked", "");
    claim.source = evidence.value("source", "");
    for (const Json& finding : member(evidence, "findings", claim.id)) {
        claim.findings.push_back(finding_row(finding, claim.id));
    }
    return claim;
}

std::string documented_words(const ClaimRow& claim) {
    return claim.documented ? words(*claim.documented) : "";
}

Table claims_table(const std::vector<Row>& rows) {
    Table table;
    table.columns = {{"claim", Alignment::left},
                     {"outcome", Alignment::left},
                     {"documented", Alignment::left},
                     {"in the paper", Alignment::left},
                     {"method", Alignment::left},
                     {"checks"}};
    for (const ClaimRow& claim : claim_rows(rows)) {
        const Cell checks = whole(metric_cell(rows[claim.row], "checks"));
        table.rows.push_back(
            {claim.id,
             words(claim.outcome),
             claim.outcome == claim.documented ? "the same" : documented_words(claim),
             claim.place,
             claim.method,
             checks.is_number() ? checks : Cell(std::string("0"))});
    }
    return table;
}

/// What a row of the claim is about; a claim draws from its own stream.
CaseKey key_of(const Claim& claim, std::uint64_t seed) {
    return {.task = std::string(claim.id),
            .seed = seed,
            .stream = formatted("{}/{}", seed, claim.id),
            .precision = std::string(to_string(claim.method))};
}

Experiment claims_experiment(Profile profile,
                             std::uint64_t seed,
                             const std::filesystem::path& results) {
    Experiment experiment{
        .id = std::string(kClaimsId), .profile = profile, .seed = seed, .parameters = {}};
    for (const Claim& claim : claims()) {
        experiment.cases.push_back({key_of(claim, seed), [&claim, profile, seed, results] {
                                        return outcome_of_case(
                                            run_claim(claim, profile, seed, results));
                                    }});
    }
    return experiment;
}

}  // namespace

std::vector<ClaimRow> claim_rows(const std::vector<Row>& rows) {
    std::vector<ClaimRow> claims;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        claims.push_back(claim_row(rows[i], i));
    }
    return claims;
}

std::vector<std::filesystem::path> write_claim_rows(const std::vector<ClaimResult>& results,
                                                    Profile profile,
                                                    const DirectoryLock& folder,
                                                    const Provenance& provenance) {
    JsonlWriter writer(folder,
                       std::string(kClaimsId) + ".jsonl",
                       {.configuration = {.id = std::string(kClaimsId),
                                          .profile = profile,
                                          .seed = provenance.seed,
                                          .parameters = {},
                                          .code_version = code_version(provenance)},
                        .provenance = provenance});
    std::vector<Row> rows;
    for (const ClaimResult& result : results) {
        CaseOutcome outcome = outcome_of_case(result);
        rows.push_back({.id = std::string(kClaimsId),
                        .key = key_of(*result.claim, provenance.seed),
                        .status = outcome.status,
                        .message = std::move(outcome.message),
                        .metrics = std::move(outcome.metrics),
                        .seconds = result.seconds,
                        .blas = blas_summary(provenance),
                        .evidence = std::move(outcome.evidence)});
        writer.append(rows.back());
    }
    std::vector<std::filesystem::path> files{writer.path()};
    for (std::filesystem::path& file :
         write_derived(derive(claims_entry({}), rows), folder.directory())) {
        files.push_back(std::move(file));
    }
    return files;
}

ExperimentEntry claims_entry(const std::filesystem::path& results) {
    return {
        .id = std::string(kClaimsId),
        .summary = "every statement of the papers that is checked, as rows",
        .quick_seconds = 30.0,
        .full_seconds = 900.0,
        .make = [results](Profile profile,
                          std::uint64_t seed) { return claims_experiment(profile, seed, results); },
        .text = [](const std::vector<Row>& rows) { return to_terminal(claims_table(rows)); },
        .derive_numbered =
            [](const std::vector<Row>& rows) {
                return Derived{{{std::string(kClaimsId), claims_table(rows)}}, {}};
            },
        .topic = Topic::claims};
}

}  // namespace attest

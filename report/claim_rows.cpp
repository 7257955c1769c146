#include "report/claim_rows.hpp"

#include "bench/experiments/frame/report_files.hpp"
#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "proofs_check/claims/report.hpp"
#include "record/json_text.hpp"
#include "record/table.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace attest {

namespace {

using Json = nlohmann::ordered_json;

Json evidence_of(const ClaimResult& result) {
    const Claim& claim = *result.claim;
    Json findings = Json::array();
    for (const Finding& finding : result.evidence.findings()) {
        findings.push_back({{"form", to_string(finding.form)},
                            {"verdict", to_string(finding.verdict)},
                            {"precision", finding.precision},
                            {"text", finding.text}});
    }
    return {{"paper", claim.paper},
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
            {"findings", findings}};
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

ClaimRow claim_row(const Row& row, std::size_t position) {
    ClaimRow claim;
    claim.id = row.key.task;
    claim.row = position;
    if (row.evidence.empty()) {
        claim.outcome = words(Outcome::inconclusive);
        claim.reason = row.message;
        return claim;
    }
    const Json evidence = parse_json(row.evidence, claim.id);
    const auto text = [&](const char* key) { return text_member(evidence, key, claim.id); };
    claim.paper = text("paper");
    claim.place = text("place");
    claim.method = text("method");
    claim.outcome = text("outcome");
    claim.documented = text("outcome_documented");
    claim.severity = evidence.value("severity", "");
    claim.reason = text("reason");
    claim.printed = text("printed");
    claim.tested = text("tested");
    claim.deviation = text("deviation");
    claim.depends_on = text("depends_on");
    claim.explain = text("explain");
    for (const Json& finding : member(evidence, "findings", claim.id)) {
        claim.findings.push_back({text_member(finding, "form", claim.id),
                                  text_member(finding, "verdict", claim.id),
                                  text_member(finding, "precision", claim.id),
                                  text_member(finding, "text", claim.id)});
    }
    return claim;
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
        table.rows.push_back({claim.id,
                              claim.outcome,
                              claim.outcome == claim.documented ? "the same" : claim.documented,
                              claim.place,
                              claim.method,
                              static_cast<std::int64_t>(claim.findings.size())});
    }
    return table;
}

}  // namespace

double claims_seconds(Profile profile) {
    return profile == Profile::quick ? 30.0 : 900.0;
}

Experiment claims_experiment(Profile profile,
                             std::uint64_t seed,
                             const std::filesystem::path& results) {
    Experiment experiment{
        .id = std::string(kClaimsId), .profile = profile, .seed = seed, .parameters = {}};
    for (const Claim& claim : claims()) {
        const CaseKey key{.task = std::string(claim.id),
                          .seed = seed,
                          .stream = formatted("{}/{}", seed, claim.id),
                          .precision = std::string(to_string(claim.method))};
        experiment.cases.push_back({key, [&claim, profile, seed, results] {
                                        return outcome_of_case(
                                            run_claim(claim, profile, seed, results));
                                    }});
    }
    return experiment;
}

bool ClaimRow::decided() const {
    return outcome != words(Outcome::inconclusive) && outcome != words(Outcome::skipped);
}

std::vector<ClaimRow> claim_rows(const std::vector<Row>& rows) {
    std::vector<ClaimRow> claims;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        claims.push_back(claim_row(rows[i], i));
    }
    return claims;
}

std::string claim_rows_text(const std::vector<Row>& rows) {
    return to_terminal(claims_table(rows));
}

std::vector<std::filesystem::path> derive_claims(const std::vector<Row>& rows,
                                                 const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> files;
    write_table(claims_table(rows), folder / "tables" / kClaimsId, files);
    return files;
}

}  // namespace attest

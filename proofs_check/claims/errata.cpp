#include "proofs_check/claims/errata.hpp"

#include "core/base/text.hpp"
#include "proofs_check/claims/coverage.hpp"
#include "proofs_check/claims/report.hpp"

namespace attest {

namespace {

/// The first finding against the print; against its hypothesis, if none is.
std::string counterexample(const ClaimResult& result) {
    for (const Form form : {Form::printed, Form::hypothesis}) {
        for (const Finding& finding : result.evidence.findings()) {
            if (finding.form == form && finding.verdict == Verdict::violated) {
                return formatted("{} ({})", finding.text, finding.precision);
            }
        }
    }
    return "none was computed";
}

std::string entry(const ClaimResult& result) {
    const Claim& claim = *result.claim;
    std::string text = formatted("## {}\n\n", claim.place);
    const auto line = [&](std::string_view name, std::string_view content) {
        if (!content.empty()) {
            text += formatted("- **{}**: {}\n", name, markdown_text(content));
        }
    };
    line("kind", words(claim.severity));
    line("as we read it", claim.printed);
    line("found", counterexample(result));
    line("what we would write", claim.tested);
    line("difference", claim.deviation);
    line("why", claim.explain);
    line("on the proof", claim.remark);
    return text + formatted("- **again**: `attest verify {} --explain`\n\n", claim.id);
}

}  // namespace

bool is_erratum(const Claim& claim) {
    return claim.severity != Severity::none && claim.severity != Severity::our_statement;
}

std::string errata_markdown(const std::vector<ClaimResult>& results) {
    std::string text =
        "# Errata, for the authors\n\n"
        "What we think should be changed in *Learning Linear Attention in Polynomial Time* (arXiv "
        "2410.10101), with the\nsmallest counterexample that we know and a repair for each. The "
        "theory stands: the learning algorithm, the\ncertificate and its proof, and most of what "
        "follows from them hold as printed ([CLAIMS.md](../CLAIMS.md)). Where we may have\nmisread "
        "a sentence, we say which reading we took. Every entry is computed anew, in less than five "
        "seconds, by\nthe command beside it. Written by `attest verify --errata "
        "docs/errata.md`.\n\n";
    std::string remarks;
    for (const ClaimResult& result : results) {
        const Claim& claim = *result.claim;
        if (is_erratum(claim)) {
            text += entry(result);
        } else if (!claim.remark.empty()) {
            remarks += formatted("- {}: {}.\n", claim.place, markdown_text(claim.remark));
        }
    }
    std::string small;
    for (const CoveredItem& item : yau2024_items()) {
        if (!item.reason.empty() && item.kind != ItemKind::restated) {
            small += formatted("- {}: {}\n", item.number, markdown_text(item.reason));
        }
    }
    return text + "## Remarks where the statement stands\n\n" + remarks + "\n## Small print\n\n" +
           small;
}

}  // namespace attest

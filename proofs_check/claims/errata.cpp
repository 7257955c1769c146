#include "proofs_check/claims/errata.hpp"

#include "core/base/text.hpp"
#include "proofs_check/claims/coverage.hpp"
#include "proofs_check/claims/papers.hpp"
#include "proofs_check/claims/report.hpp"
#include "proofs_check/claims/second_routes.hpp"
#include "record/table.hpp"

#include <algorithm>

namespace attest {

namespace {

std::string entry(const ClaimResult& result) {
    const Claim& claim = *result.claim;
    const std::string found = refuting_finding(result);
    ErratumLines lines{{"kind", words(claim.severity)},
                       {"read in", std::string(read_in(claim.id))},
                       {"as we read it", std::string(claim.printed)},
                       {"found", found.empty() ? "none was computed" : found},
                       {"what we would write", std::string(claim.tested)},
                       {"difference", std::string(claim.deviation)},
                       {"why", std::string(claim.explain)},
                       {"on the proof", std::string(claim.remark)}};
    if (second_route_of(claim.id) != nullptr) {
        lines.emplace_back("by another route",
                           formatted("[{}.py](../proofs_check/second_route/{}.py)",
                                     claim.id.substr(claim.id.find('/') + 1),
                                     claim.id));
    }
    return erratum_entry(claim, lines);
}

/// "[lemma_2_3](claims/yau2024.md#yau2024lemma_2_3)" for each id.
std::string claim_links(std::string_view ids) {
    std::string links;
    while (!ids.empty()) {
        const std::string_view id = ids.substr(0, std::min(ids.find(' '), ids.size()));
        const std::size_t slash = id.find('/');
        links += formatted("{}[{}](claims/{}.md#{}{})",
                           links.empty() ? "" : ", ",
                           id.substr(slash + 1),
                           id.substr(0, slash),
                           id.substr(0, slash),
                           id.substr(slash + 1));
        ids.remove_prefix(std::min(id.size() + 1, ids.size()));
    }
    return links;
}

/// Which text the entries speak of, how the versions differ, and what was reported and is none.
std::string versions_section() {
    const Paper& paper = papers().front();
    std::string text = formatted(
        "## Which version\n\n- **read**: {}\n- **not read**: {}\n\n"
        "No entry below is known to be settled by a version that we have read: arXiv v4 and the "
        "proceedings have the same\nabstract and opening, and what stands in v1 and v2 after "
        "their first sentence we do not know. Each entry says where its\nprint was read. What can "
        "be told apart from the abstracts alone:\n\n",
        markdown_text(paper.read),
        markdown_text(paper.unread));
    Table table;
    table.columns = {{"abstract of v1 and v2", Alignment::left},
                     {"abstract of v4 and the proceedings", Alignment::left},
                     {"claims", Alignment::left}};
    for (const VersionDifference& difference : version_differences()) {
        table.rows.push_back({markdown_text(difference.first),
                              markdown_text(difference.proceedings),
                              claim_links(difference.claims)});
    }
    text += to_unpadded_markdown(table) +
            "\nWithdrawn, because they came from a faulty text copy of the proceedings, or may "
            "have:\n\n";
    for (const WithdrawnFinding& finding : withdrawn_findings()) {
        text += formatted("- {}: {}; {}.\n",
                          finding.place,
                          markdown_text(finding.was),
                          markdown_text(finding.reason));
    }
    return text + "\n";
}

}  // namespace

bool is_erratum(const Claim& claim) {
    return claim.severity != Severity::none && claim.severity != Severity::our_statement;
}

std::string refuting_finding(const ClaimResult& result) {
    for (const Form form : {Form::printed, Form::hypothesis, Form::tested}) {
        for (const Finding& finding : result.evidence.findings()) {
            if (finding.form == form && finding.verdict == Verdict::violated) {
                return formatted("{} ({})", finding.text, finding.precision);
            }
        }
    }
    return "";
}

std::string erratum_entry(const Claim& claim, const ErratumLines& lines) {
    std::string text = formatted("## {}\n\n", markdown_text(claim.place));
    for (const auto& [name, content] : lines) {
        if (!content.empty()) {
            text += formatted("- **{}**: {}\n", name, markdown_text(content));
        }
    }
    return text + formatted("- **again**: `{} --explain`\n\n", verify_command(claim));
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
        "docs/errata.md`.\n\n" +
        versions_section();
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

#include "core/base/text.hpp"
#include "proofs_check/claims/report.hpp"
#include "record/table.hpp"

#include <algorithm>

namespace attest {

namespace {

/// Text inside a line of Markdown: nothing in it is markup. Underscores inside words are none.
std::string plain(std::string_view text) {
    std::string escaped;
    for (const char letter : text) {
        if (letter == '*' || letter == '<' || letter == '`' || letter == '\\') {
            escaped += '\\';
        }
        escaped += letter;
    }
    return escaped;
}

std::string summary_table(const std::vector<ClaimResult>& results) {
    Table table;
    table.columns = {{"claim", Alignment::left},
                     {"in the paper", Alignment::left},
                     {"outcome", Alignment::left},
                     {"checked by", Alignment::left}};
    for (const ClaimResult& result : results) {
        const std::string id(result.claim->id);
        std::string anchor = id;
        anchor.erase(std::remove(anchor.begin(), anchor.end(), '/'), anchor.end());
        table.rows.push_back({formatted("[{}](#{})", id, anchor),
                              std::string(result.claim->place),
                              words(result.outcome),
                              std::string(to_string(result.claim->method))});
    }
    return to_markdown(table);
}

void add_line(std::string& text, std::string_view name, std::string_view content) {
    if (!content.empty()) {
        text += formatted("- **{}**: {}\n", name, plain(content));
    }
}

std::string section(const ClaimResult& result) {
    const Claim& claim = *result.claim;
    std::string text = formatted("### {}\n\n", claim.id);
    text += formatted("{} of {}: **{}**", claim.place, claim.paper, words(result.outcome));
    text += result.reason.empty() ? "\n\n" : ", " + plain(result.reason) + "\n\n";
    add_line(text, "printed", claim.printed);
    add_line(text, "tested", claim.tested);
    add_line(text, "deviation", claim.deviation);
    add_line(text, "why", claim.explain);
    add_line(text, "depends on", claim.depends_on);
    text += "- **evidence**:\n";
    for (const Finding& finding : result.evidence.findings()) {
        text += formatted("  - {}, {} ({}): {}\n",
                          to_string(finding.form),
                          to_string(finding.verdict),
                          finding.precision,
                          plain(finding.text));
    }
    return text + formatted("- **again**: `attest verify {} --explain`\n\n", claim.id);
}

}  // namespace

std::string claims_markdown(const std::vector<ClaimResult>& results) {
    std::string text =
        "# Claims\n\n"
        "Every statement that `attest verify` checks, with the outcome its checks computed. "
        "Written "
        "by\n`attest verify --markdown CLAIMS.md`; "
        "[docs/claims.md](docs/claims.md) says how a claim is checked and what the outcomes mean.\n"
        "Formulas: X' is the transpose, L^-1 the inverse, indices count from 1.\n\n";
    text += summary_table(results) + "\n";
    for (const ClaimResult& result : results) {
        text += section(result);
    }
    return text;
}

}  // namespace attest

#include "core/base/text.hpp"
#include "proofs_check/claims/coverage.hpp"
#include "proofs_check/claims/errata.hpp"
#include "proofs_check/claims/papers.hpp"
#include "proofs_check/claims/report.hpp"
#include "proofs_check/claims/second_routes.hpp"
#include "record/table.hpp"

#include <algorithm>
#include <array>
#include <map>

namespace attest {

namespace {

/// The claims of a paper, or of a subject of this project, share the beginning of their ids.
std::string group_of(std::string_view id) {
    return std::string(id.substr(0, id.find('/')));
}

/// To the evidence, as a forge names the heading that is the id.
std::string link(std::string_view shown, std::string_view id) {
    std::string anchor(id);
    anchor.erase(std::remove(anchor.begin(), anchor.end(), '/'), anchor.end());
    return formatted("[{}]({}#{})", shown, evidence_page(id), anchor);
}

/// The findings of most weight, in one line each. The claims named show them.
struct Highlight {
    std::string_view text;
    std::string_view claim;
};

constexpr std::array kHighlights{
    Highlight{"The certificate works as printed: lambda_min(Lambda) > 0 and realisable labels make "
              "all minimisers one function.",
              "yau2024/lemma_2_3"},
    Highlight{"Least squares and SVD learn the best layer, with at most d^2 heads.",
              "yau2024/algorithm_1"},
    Highlight{"No learner of layers has equation 6 for all distributions; bounded features do not "
              "help, bounded leverage does.",
              "yau2024/theorem_2_2_distribution_free"},
    Highlight{
        "For realisable labels a bound of that form holds under every distribution, for whole "
        "runs too.",
        "yau2024/theorem_2_2_realisable"},
    Highlight{"psi questions with entries 0 and 1 determine every layer, and no fewer do.",
              "yau2024/teaching_set"},
    Highlight{"No set of one-hot histories meets Lemma A.8's hypothesis; the span of the training "
              "rows replaces it, and a universal machine is learned.",
              "yau2024/lemma_a8_traces"},
    Highlight{"Lemma A.7 needs the square of the norm and a factor 4; the leverage is the sharp "
              "form.",
              "yau2024/lemma_a7"},
    Highlight{
        "Entries drawn independently identify the layer from two tokens on, and not from one.",
        "yau2024/lemma_a5"},
    Highlight{"The construction of Lemma B.1 grows with the square of the number of steps.",
              "yau2024/lemma_b1"},
    Highlight{"d^2 heads train faster than any smaller number, at d = 2, 4 and 8 over the grid of "
              "Figure 1; below that more heads help at one rate and not at the other.",
              "yau2024/figure_1_more_heads"}};

constexpr std::array kSeverities{Severity::none,
                                 Severity::misprint,
                                 Severity::convention,
                                 Severity::missing_hypothesis,
                                 Severity::wrong_bound,
                                 Severity::refuted,
                                 Severity::not_reproduced,
                                 Severity::our_statement};

std::string severity_label(Severity severity) {
    return severity == Severity::none            ? "as printed"
           : severity == Severity::our_statement ? "ours"
                                                 : words(severity);
}

/// Results of one page of evidence.
struct Group {
    std::string name;
    std::vector<const ClaimResult*> results;
};

/// In the order in which they first occur.
std::vector<Group> groups_of(const std::vector<ClaimResult>& results) {
    std::vector<Group> groups;
    for (const ClaimResult& result : results) {
        const std::string name = group_of(result.claim->id);
        auto group = std::find_if(
            groups.begin(), groups.end(), [&](const Group& known) { return known.name == name; });
        if (group == groups.end()) {
            group = groups.insert(groups.end(), {name, {}});
        }
        group->results.push_back(&result);
    }
    return groups;
}

/// A row for the statements of the paper, each once; then the claims by group.
std::string counts_table(const std::vector<ClaimResult>& results) {
    Table table;
    table.columns = {{"", Alignment::left}, {"checked"}};
    for (const Severity severity : kSeverities) {
        table.columns.push_back({severity_label(severity)});
    }
    const auto add = [&](const std::string& name, const std::map<Severity, Index>& counts) {
        std::vector<Cell> row{name, std::int64_t{0}};
        std::int64_t total = 0;
        for (const Severity severity : kSeverities) {
            const auto found = counts.find(severity);
            const auto count = static_cast<std::int64_t>(found == counts.end() ? 0 : found->second);
            total += count;
            row.emplace_back(count);
        }
        row[1] = total;
        table.rows.push_back(row);
    };
    add("printed statements of yau2024, each once", printed_statement_counts());
    for (const Group& group : groups_of(results)) {
        std::map<Severity, Index> counts;
        for (const ClaimResult* result : group.results) {
            ++counts[result->claim->severity];
        }
        add("claims " + group.name, counts);
    }
    return to_markdown(table);
}

std::string map_table() {
    Table table;
    table.columns = {{"in the paper", Alignment::left},
                     {"about", Alignment::left},
                     {"claims", Alignment::left},
                     {"remark", Alignment::left}};
    for (const CoveredItem& item : yau2024_items()) {
        std::string claims;
        for (const std::string& id : claims_of(item)) {
            claims += (claims.empty() ? "" : ", ") + link(id.substr(id.find('/') + 1), id);
        }
        table.rows.push_back({std::string(item.number),
                              markdown_text(item.subject),
                              claims.empty() ? std::string("none") : claims,
                              markdown_text(item.reason)});
    }
    return to_unpadded_markdown(table);
}

std::string papers_table() {
    Table table;
    table.columns = {{"paper", Alignment::left},
                     {"held against", Alignment::left},
                     {"not read", Alignment::left}};
    for (const Paper& paper : papers()) {
        table.rows.push_back({formatted("{}: {}", paper.paper, paper.title),
                              markdown_text(paper.read),
                              markdown_text(paper.unread)});
    }
    return to_unpadded_markdown(table);
}

std::string first_page(const std::vector<ClaimResult>& results) {
    std::string text =
        "# Claims\n\n"
        "Every statement that `attest verify` checks, with the outcome its checks computed and a "
        "link to their evidence.\nWritten by `attest verify --markdown .`; "
        "[docs/claims.md](docs/claims.md) says how a claim is checked and what the outcomes mean.\n"
        "Formulas: X' is the transpose, L^-1 the inverse, indices count from 1.\n\n"
        "## Counts\n\n<!-- counts -->\n\n" +
        counts_table(results) +
        "\n<!-- end of counts -->\n\n"
        "*As printed* are statements whose print was checked and stands, as far as their claims "
        "say "
        "that it was: not all parts\nof a theorem are checked (of Zhang's Theorem 4.1 the "
        "convergence "
        "of gradient flow is not), few are at all sizes, and some\nprints were seen in part only "
        "(the "
        "table of versions below says which). A printed statement counts once, with the\n"
        "gravest of what its claims found; the claims of its parts are listed below. *Ours* have "
        "no "
        "printed form.\n"
        "[docs/errata.md](docs/errata.md) has every counterexample with its "
        "repair.\n\n## Ten findings\n\n";
    for (std::size_t i = 0; i < kHighlights.size(); ++i) {
        text += formatted("{}. {} {}\n",
                          i + 1,
                          markdown_text(kHighlights.at(i).text),
                          link(kHighlights.at(i).claim, kHighlights.at(i).claim));
    }
    return text +
           "\n## Which versions were read\n\n"
           "A statement is as printed in the text named here. [docs/errata.md](docs/errata.md) has "
           "what differs between\nthe versions of the first paper, and where each finding was "
           "read.\n\n" +
           papers_table() +
           "\n## Map of the paper\n\nEvery numbered item of arXiv 2410.10101, numbered as in "
           "the proceedings, with the "
           "claims that speak of it, or why there is none.\n\n" +
           map_table() + "\n## Claims\n\n";
}

std::string summary_table(const std::vector<ClaimResult>& results) {
    Table table;
    table.columns = {{"claim", Alignment::left},
                     {"in the paper", Alignment::left},
                     {"outcome", Alignment::left},
                     {"severity", Alignment::left},
                     {"checked by", Alignment::left}};
    for (const ClaimResult& result : results) {
        table.rows.push_back({link(result.claim->id, result.claim->id),
                              std::string(result.claim->place),
                              words(result.outcome),
                              severity_label(result.claim->severity),
                              std::string(to_string(result.claim->method))});
    }
    return to_unpadded_markdown(table);
}

void add_line(std::string& text, std::string_view name, std::string_view content) {
    if (!content.empty()) {
        text += formatted("- **{}**: {}\n", name, markdown_text(content));
    }
}

/// A second route to the finding, if the claim has one: the program and what it prints.
std::string route_text(std::string_view id) {
    const SecondRoute* route = second_route_of(id);
    if (route == nullptr) {
        return {};
    }
    return formatted(
        "A second route, which shares no code with the first "
        "([{}.py](../../proofs_check/second_route/{}.py)):\n\n```python\n{}```\n\n```text\n{}```"
        "\n\n",
        id.substr(id.find('/') + 1),
        id,
        route->code,
        route->printed);
}

std::string section(const ClaimResult& result) {
    const Claim& claim = *result.claim;
    std::string text = formatted("## {}\n\n", claim.id);
    text += formatted("{} of {}: **{}**", claim.place, claim.paper, words(result.outcome));
    text += result.reason.empty() ? "\n\n" : ", " + markdown_text(result.reason) + "\n\n";
    add_line(text, "printed", claim.printed);
    add_line(text, "read in", claim.severity == Severity::our_statement ? "" : read_in(claim.id));
    add_line(text, "tested", claim.tested);
    add_line(text, "deviation", claim.deviation);
    add_line(text, "severity", is_erratum(claim) ? words(claim.severity) : "");
    add_line(text, "remark", claim.remark);
    add_line(text, "false-alarm level", claim.false_alarm);
    add_line(text, "why", claim.explain);
    add_line(text, "machine-checked", words(claim.machine_checked));
    add_line(text, "depends on", claim.depends_on);
    text += "- **evidence**:\n";
    for (const Finding& finding : result.evidence.findings()) {
        text += formatted("  - {}, {} ({}): {}\n",
                          to_string(finding.form),
                          verdict_words(finding),
                          finding.precision,
                          markdown_text(finding.text));
    }
    const std::string_view can_fail = control_sentence(control_kind(result.evidence));
    if (!can_fail.empty()) {
        text += formatted("  - can fail: {}\n", can_fail);
    }
    text += formatted("- **again**: `{} --explain`\n\n", verify_command(claim));
    return text + (claim.source.empty() ? route_text(claim.id) : "");
}

/// A sentence about the second routes of a page, if it has any.
std::string route_setting(const std::string& group) {
    const std::span<const SecondRoute> routes = second_routes();
    const bool some = std::any_of(routes.begin(), routes.end(), [&](const SecondRoute& route) {
        return group_of(route.id) == group;
    });
    return some ? "Findings graver than a misprint have a second route: a few lines of Python "
                  "that need nothing of this project.\n\n"
                : "";
}

std::string evidence_head(const std::string& group) {
    return formatted(
               "# Claims {}: the evidence\n\n"
               "What each claim says, why, and every check with its numbers. "
               "[CLAIMS.md](../../CLAIMS.md) "
               "has the outcomes of all claims;\n[docs/claims.md](../claims.md) says what the "
               "words mean. "
               "Written by `attest verify --markdown .`.\n"
               "Formulas: X' is the transpose, L^-1 the inverse, indices count from 1.\n\n",
               group) +
           route_setting(group);
}

}  // namespace

// Underscores inside words are no markup.
std::string markdown_text(std::string_view text) {
    std::string escaped;
    for (const char letter : text) {
        if (letter == '*' || letter == '<' || letter == '`' || letter == '\\') {
            escaped += '\\';
        }
        escaped += letter;
    }
    return escaped;
}

std::string evidence_page(std::string_view id) {
    return "docs/claims/" + group_of(id) + ".md";
}

namespace {

/// "claims.py" where the claims are a user's own; of the first that is.
std::string_view source_of(const std::vector<ClaimResult>& results) {
    for (const ClaimResult& result : results) {
        if (!result.claim->source.empty()) {
            return result.claim->source;
        }
    }
    return {};
}

std::string own_evidence_head(const std::string& group, std::string_view source) {
    return formatted(
        "# Claims {}: the evidence\n\n"
        "What each claim says, why, and every check with its numbers. [CLAIMS.md](../../CLAIMS.md) "
        "has the outcomes.\nWritten by `attest verify {} --markdown .`.\n\n",
        group,
        source);
}

std::string own_first_page(std::string_view source) {
    return formatted(
        "# Claims\n\n"
        "Every claim with the outcome that its checks computed, and a link to their "
        "evidence.\nWritten by `attest verify {} --markdown .`.\n\n",
        source);
}

}  // namespace

std::vector<MarkdownPage> claims_markdown(const std::vector<ClaimResult>& results) {
    std::vector<MarkdownPage> pages;
    const std::string_view source = source_of(results);
    for (const Group& group : groups_of(results)) {
        std::string text =
            source.empty() ? evidence_head(group.name) : own_evidence_head(group.name, source);
        for (const ClaimResult* result : group.results) {
            text += section(*result);
        }
        pages.push_back({evidence_page(group.name), text.substr(0, text.size() - 1)});
    }
    pages.push_back(
        {"CLAIMS.md",
         (source.empty() ? first_page(results) : own_first_page(source)) + summary_table(results)});
    return pages;
}

}  // namespace attest

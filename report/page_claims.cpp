#include "core/base/text.hpp"
#include "proofs_check/claims/report.hpp"
#include "report/claim_rows.hpp"
#include "report/html_report.hpp"
#include "report/pages.hpp"

#include <algorithm>
#include <set>

namespace attest {

namespace {

std::string option_list(const std::set<std::string>& values) {
    std::string text = R"(<option value="">all</option>)";
    for (const std::string& value : values) {
        text += formatted("<option>{}</option>", html::text(value));
    }
    return text;
}

std::string select(const std::string& name,
                   const std::string& label,
                   const std::set<std::string>& values) {
    return formatted("<label>{}{}{}{}{}</select></label>\n",
                     label,
                     R"( <select id="filter-)",
                     name,
                     R"(">)",
                     option_list(values));
}

std::string filters(const std::vector<ClaimRow>& claims) {
    std::set<std::string> papers;
    std::set<std::string> outcomes;
    std::set<std::string> methods;
    for (const ClaimRow& claim : claims) {
        papers.insert(claim.paper);
        outcomes.insert(words(claim.outcome));
        methods.insert(claim.method);
    }
    return formatted(
        "{}aria-label=\"Filter the claims\">\n{}{}{}{}placeholder=\"e.g. "
        "kernel\"></label>\n<button type=\"reset\">Show all</button>\n{}{} of {} "
        "claims</span>\n</form>\n",
        R"(<form class="filters" id="claim-filters" role="search" )",
        select("paper", "paper", papers),
        select("outcome", "verdict", outcomes),
        select("method", "method", methods),
        R"(<label>text <input type="search" id="filter-text" )",
        R"(<span id="claim-count" role="status" aria-live="polite">)",
        claims.size(),
        claims.size());
}

std::string paragraph(std::string_view name, std::string_view content) {
    return content.empty() ? "" : formatted("<dt>{}</dt><dd>{}</dd>\n", name, html::text(content));
}

std::string dependencies(const ClaimRow& claim) {
    std::string links;
    std::string_view rest = claim.depends_on;
    while (!rest.empty()) {
        const std::string_view id = rest.substr(0, rest.find(' '));
        rest.remove_prefix(std::min(rest.size(), id.size() + 1));
        links += formatted(
            "{}{}{}{}</a> ", R"(<a href="#claim-)", html::id(id), R"(">)", html::text(id));
    }
    return links.empty() ? "" : formatted("<dt>depends on</dt><dd>{}</dd>\n", links);
}

std::string evidence(const ClaimRow& claim) {
    std::string list = R"(<table class="evidence"><caption>Evidence</caption><thead><tr>)"
                       R"(<th scope="col">speaks of</th><th scope="col">verdict</th>)"
                       R"(<th scope="col">precision</th><th scope="col">what was computed</th>)"
                       "</tr></thead><tbody>\n";
    for (const FindingRow& finding : claim.findings) {
        list += formatted("<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
                          to_string(finding.form),
                          html::text(finding.said),
                          html::text(finding.precision),
                          html::text(finding.text));
    }
    return list + "</tbody></table>\n";
}

/// The colour of a verdict: what is decided and as documented, decided otherwise, or open.
std::string tone(const ClaimRow& claim) {
    switch (claim.agreement()) {
        case Agreement::undecided:
            return "open";
        case Agreement::differs:
            return "differs";
        case Agreement::as_documented:
            break;
    }
    return claim.outcome == Outcome::holds ? "good" : "corrected";
}

std::string documented(const ClaimRow& claim) {
    if (claim.agreement() != Agreement::differs) {
        return "";
    }
    return formatted(
        "{}{}.</p>\n", R"(<p class="warning">Documented as: )", words(*claim.documented));
}

/// What shows the claim again; a user's own stands in a file.
std::vector<std::string> again(const ClaimRow& claim) {
    std::vector<std::string> words{"attest", "verify"};
    if (!claim.source.empty()) {
        words.push_back(claim.source);
    }
    words.insert(words.end(), {claim.id, "--explain"});
    return words;
}

std::string claim_article(const ClaimRow& claim, const ResultEntry& entry) {
    return formatted(
        "{}{}{}{}{}{}{}{}\">\n<summary><span "
        "class=\"claim-id\">{}{}{}{}{}{}{}{}{}</span></summary>\n{}{}{}{}</p></div><div><h4>As "
        "tested</h4><p>{}</p></div></div>\n<dl>\n{}{}{}{}</dl>\n{}{}{}-{}\">its row</a>, "
        "or</p>\n{}</details>\n",
        R"(<details class="claim" id="claim-)",
        html::id(claim.id),
        R"(" data-paper=")",
        html::text(claim.paper),
        R"(" data-outcome=")",
        words(claim.outcome),
        R"(" data-method=")",
        html::text(claim.method),
        html::breakable(claim.id),
        R"(</span> <span class="claim-place">)",
        html::text(claim.place),
        R"(</span> <span class="badge )",
        tone(claim),
        R"(">)",
        words(claim.outcome),
        R"(</span> <span class="claim-method">)",
        html::text(claim.method),
        documented(claim),
        claim.reason.empty()
            ? ""
            : formatted("{}{}</p>\n", R"(<p class="warning">)", html::text(claim.reason)),
        R"(<div class="statements"><div><h4>As printed</h4><p>)",
        html::text(claim.printed),
        html::text(claim.tested),
        paragraph("deviation", claim.deviation),
        paragraph("argument", claim.explain),
        paragraph("machine-checked", claim.machine_checked),
        dependencies(claim),
        evidence(claim),
        R"(<p>Again: <a href="#rows-)",
        anchor_of(entry),
        claim.row,
        html::command(shell_quoted(again(claim))));
}

/// The claims of the fullest profile there is.
const ResultEntry* claims_entry(const ResultSet& results) {
    const ResultEntry* found = nullptr;
    for (const ResultEntry& entry : results.entries) {
        if (entry.id == kClaimsId && (found == nullptr || entry.profile == "full")) {
            found = &entry;
        }
    }
    return found;
}

}  // namespace

std::string claims_section(const ResultSet& results) {
    std::string section = "<section id=\"claims\">\n<h2>Claims</h2>\n";
    const ResultEntry* const entry = claims_entry(results);
    if (entry == nullptr) {
        return section + "<p>No rows of claims here. They are written by</p>\n" +
               html::command("attest reproduce claims") + "</section>\n";
    }
    const std::vector<ClaimRow> claims = claim_rows(entry->rows);
    section += formatted(
        "<p>Every statement that is checked, {} profile. No verdict is written down by hand: it is "
        "computed from the checks listed as evidence. Formulas: X' is the transpose, L^-1 the "
        "inverse, indices count from 1.</p>\n{}",
        html::text(entry->profile),
        filters(claims));
    for (const ClaimRow& claim : claims) {
        section += claim_article(claim, *entry);
    }
    return section + rows_table(*entry) + "</section>\n";
}

}  // namespace attest

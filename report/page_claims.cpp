#include "core/base/text.hpp"
#include "report/claim_rows.hpp"
#include "report/html_text.hpp"
#include "report/page_sections.hpp"

#include <algorithm>
#include <set>

namespace attest {

namespace {

std::string option_list(const std::set<std::string>& values) {
    std::string text = R"(<option value="">all</option>)";
    for (const std::string& value : values) {
        text += concat("<option>", html::text(value), "</option>");
    }
    return text;
}

std::string select(const std::string& name,
                   const std::string& label,
                   const std::set<std::string>& values) {
    return concat("<label>",
                  label,
                  R"( <select id="filter-)",
                  name,
                  R"(">)",
                  option_list(values),
                  "</select></label>\n");
}

std::string filters(const std::vector<ClaimRow>& claims) {
    std::set<std::string> papers;
    std::set<std::string> outcomes;
    std::set<std::string> methods;
    for (const ClaimRow& claim : claims) {
        papers.insert(claim.paper);
        outcomes.insert(claim.outcome);
        methods.insert(claim.method);
    }
    return concat(R"(<form class="filters" id="claim-filters" role="search" )",
                  "aria-label=\"Filter the claims\">\n",
                  select("paper", "paper", papers),
                  select("outcome", "verdict", outcomes),
                  select("method", "method", methods),
                  R"(<label>text <input type="search" id="filter-text" )",
                  "placeholder=\"e.g. kernel\"></label>\n",
                  "<button type=\"reset\">Show all</button>\n",
                  R"(<span id="claim-count" role="status" aria-live="polite">)",
                  claims.size(),
                  " of ",
                  claims.size(),
                  " claims</span>\n</form>\n");
}

std::string paragraph(std::string_view name, std::string_view content) {
    return content.empty() ? "" : concat("<dt>", name, "</dt><dd>", html::text(content), "</dd>\n");
}

std::string dependencies(const ClaimRow& claim) {
    std::string links;
    std::string_view rest = claim.depends_on;
    while (!rest.empty()) {
        const std::string_view id = rest.substr(0, rest.find(' '));
        rest.remove_prefix(std::min(rest.size(), id.size() + 1));
        links += concat(R"(<a href="#claim-)", html::id(id), R"(">)", html::text(id), "</a> ");
    }
    return links.empty() ? "" : concat("<dt>depends on</dt><dd>", links, "</dd>\n");
}

std::string evidence(const ClaimRow& claim) {
    std::string list = R"(<table class="evidence"><caption>Evidence</caption><thead><tr>)"
                       R"(<th scope="col">speaks of</th><th scope="col">verdict</th>)"
                       R"(<th scope="col">precision</th><th scope="col">what was computed</th>)"
                       "</tr></thead><tbody>\n";
    for (const ClaimFinding& finding : claim.findings) {
        list += concat("<tr><td>",
                       html::text(finding.form),
                       "</td><td>",
                       html::text(finding.verdict),
                       "</td><td>",
                       html::text(finding.precision),
                       "</td><td>",
                       html::text(finding.text),
                       "</td></tr>\n");
    }
    return list + "</tbody></table>\n";
}

/// The colour of a verdict: what is decided and as documented, decided otherwise, or open.
std::string tone(const ClaimRow& claim) {
    if (!claim.decided()) {
        return "open";
    }
    if (claim.differs()) {
        return "differs";
    }
    return claim.outcome == "holds" ? "good" : "corrected";
}

std::string documented(const ClaimRow& claim) {
    if (!claim.differs()) {
        return "";
    }
    return concat(R"(<p class="warning">Documented as: )", html::text(claim.documented), ".</p>\n");
}

std::string claim_article(const ClaimRow& claim, const ResultEntry& entry) {
    return concat(R"(<details class="claim" id="claim-)",
                  html::id(claim.id),
                  R"(" data-paper=")",
                  html::text(claim.paper),
                  R"(" data-outcome=")",
                  html::text(claim.outcome),
                  R"(" data-method=")",
                  html::text(claim.method),
                  "\">\n<summary><span class=\"claim-id\">",
                  html::breakable(claim.id),
                  R"(</span> <span class="claim-place">)",
                  html::text(claim.place),
                  R"(</span> <span class="badge )",
                  tone(claim),
                  R"(">)",
                  html::text(claim.outcome),
                  R"(</span> <span class="claim-method">)",
                  html::text(claim.method),
                  "</span></summary>\n",
                  documented(claim),
                  claim.reason.empty()
                      ? ""
                      : concat(R"(<p class="warning">)", html::text(claim.reason), "</p>\n"),
                  R"(<div class="statements"><div><h4>As printed</h4><p>)",
                  html::text(claim.printed),
                  "</p></div><div><h4>As tested</h4><p>",
                  html::text(claim.tested),
                  "</p></div></div>\n<dl>\n",
                  paragraph("deviation", claim.deviation),
                  paragraph("argument", claim.explain),
                  dependencies(claim),
                  "</dl>\n",
                  evidence(claim),
                  R"(<p>Again: <a href="#rows-)",
                  anchor_of(entry),
                  "-",
                  claim.row,
                  "\">its row</a>, or</p>\n",
                  html::command("attest verify " + claim.id + " --explain"),
                  "</details>\n");
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
    section += concat("<p>Every statement that is checked, ",
                      html::text(entry->profile),
                      " profile. No verdict is written down by hand: it is computed from the "
                      "checks listed as evidence. Formulas: X' is the transpose, L^-1 the "
                      "inverse, indices count from 1.</p>\n",
                      filters(claims));
    for (const ClaimRow& claim : claims) {
        section += claim_article(claim, *entry);
    }
    return section + rows_table(*entry) + "</section>\n";
}

}  // namespace attest

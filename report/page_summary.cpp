#include "core/base/text.hpp"
#include "proofs_check/claims/report.hpp"
#include "report/claim_rows.hpp"
#include "report/html_text.hpp"
#include "report/page_sections.hpp"

#include <map>
#include <set>

namespace attest {

namespace {

std::string tile(const std::string& number, const std::string& words, const std::string& address) {
    return formatted("{}{}{}{}</strong> {}</a></li>\n",
                     R"(<li><a href="#)",
                     address,
                     R"("><strong>)",
                     html::text(number),
                     html::text(words));
}

}  // namespace

std::string summary_section(const ResultSet& results) {
    std::map<std::string, std::size_t> outcomes;
    std::set<std::string> commits;
    std::size_t cases = 0;
    std::size_t differing = 0;
    std::size_t unread = results.problems.size();
    for (const ResultEntry& entry : results.entries) {
        unread += entry.problems.size();
        commits.insert(entry.header.provenance.commit.substr(0, 12));
        if (entry.id != kClaimsId) {
            cases += entry.rows.size();
            continue;
        }
        for (const ClaimRow& claim : claim_rows(entry.rows)) {
            ++outcomes[words(claim.outcome)];
            differing += claim.agreement() == Agreement::differs ? 1U : 0U;
        }
    }
    std::string tiles;
    for (const auto& [outcome, count] : outcomes) {
        tiles +=
            tile(std::to_string(count), (count == 1 ? "claim: " : "claims: ") + outcome, "claims");
    }
    if (differing > 0) {
        tiles += tile(std::to_string(differing), "differ from what is documented", "claims");
    }
    tiles += tile(std::to_string(cases), "measured cases", "experiments");
    if (unread > 0) {
        tiles += tile(std::to_string(unread), "lines that cannot be read", "environment");
    }
    std::string from;
    for (const std::string& commit : commits) {
        from += formatted("{}{}", from.empty() ? "" : ", ", html::code(commit));
    }
    return formatted(
        "<section id=\"summary\">\n<p>What is true of linear attention, and how it is known: the "
        "statements of the papers checked one by one, their figures measured again, and the rows "
        "behind every number. Commit {}.</p>\n<ul class=\"tiles\">\n{}</ul>\n</section>\n",
        from,
        tiles);
}

}  // namespace attest

#include "report/audit_sections.hpp"

#include "core/base/plural.hpp"
#include "core/base/text.hpp"
#include "report/html_blocks.hpp"
#include "report/html_text.hpp"
#include "report/shown_explanation.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace attest {

namespace {

constexpr std::size_t kMostRows = 50;

using html::Cells;
using html::paragraph;
using html::section;

/// What hangs on a leverage is infinite where the output is open.
std::string or_any(const std::optional<double>& value) {
    return !value ? "" : std::isfinite(*value) ? six_digits(*value) : "any amount";
}

std::string_view badge_of(Uniqueness unique) {
    switch (unique) {
        case Uniqueness::everywhere:
        case Uniqueness::lengths_seen:
            return "good";
        case Uniqueness::held_out:
            return "corrected";
        case Uniqueness::none:
            return "differs";
        case Uniqueness::undecided:
            return "open";
    }
    return "open";
}

std::string bounded(double probability) {
    return probability < 1.0 ? formatted("at most {}", probability) : "no bound below 1";
}

std::string rank_rows(const LayerAudit& audit) {
    const ExactRank& rank = *audit.found.rank;
    const Coverage& coverage = *audit.found.coverage;
    std::vector<Cells> rows{
        {"rank",
         rank.rank_is_exact() ? formatted("{} of {}, proved over Q", rank.rank_lower, rank.psi)
                              : formatted("{} to {}", rank.rank_lower, rank.rank_upper)},
        {"why", html::text(rank.reason)}};
    if (audit.found.structure && audit.found.structure->seen) {
        rows.push_back({"structural rank",
                        formatted("{}: what any inputs of these lengths could determine",
                                  audit.found.structure->seen->rank)});
    }
    rows.push_back({"a fresh input is left open",
                    formatted("with probability {} in the mean, {} with confidence {}, if it comes "
                              "from the law of the data",
                              bounded(coverage.expected),
                              bounded(coverage.at_most),
                              coverage.confidence)});
    if (coverage.outside) {
        rows.push_back(
            {"rests on single examples",
             formatted(
                 "{} of {} are not determined by all others", *coverage.outside, coverage.draws)});
    }
    if (audit.found.few_heads) {
        rows.push_back(
            {formatted("near it, among layers of {}", plural(audit.found.few_heads->heads, "head")),
             html::text(std::string(to_string(audit.found.few_heads->verdict)))});
    }
    return html::table({}, rows);
}

std::string relations(const Explanation& why) {
    if (why.classes.empty()) {
        return why.nullity == 0 ? ""
                                : paragraph(
                                      "No short relation holds in every example: what is open "
                                      "is of a generic kind.");
    }
    std::vector<Cells> rows;
    for (std::size_t k = 0; k < std::min(why.classes.size(), kMostRows); ++k) {
        const RelationClass& one = why.classes[k];
        rows.push_back(
            {std::to_string(k + 1),
             html::code(relation_in_words(one)),
             std::to_string(one.vectors.size()),
             html::text(one.cause.because),
             html::text(one.is_structural ? "harmless: the layer's own" : one.cause.broken_by)});
    }
    const std::string more = why.classes.size() > kMostRows
                                 ? paragraph(formatted("{} more are in the data of this page.",
                                                       why.classes.size() - kMostRows))
                                 : "";
    return "<h3>What holds in every example, and so leaves outputs open elsewhere</h3>\n" +
           html::table(
               {"", "relation, the first of its kind", "null vectors", "because", "broken by"},
               rows) +
           more;
}

/// The open ones first, then by leverage.
std::vector<std::size_t> worst_first(const std::vector<HeldOutInput>& inputs) {
    std::vector<std::size_t> order(inputs.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto is_open = [&](std::size_t k) {
        return inputs[k].verdict == Determination::not_determined;
    };
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return is_open(a) != is_open(b) ? is_open(a) : inputs[a].leverage > inputs[b].leverage;
    });
    return order;
}

std::string reasons(const HeldOutInput& one, const Explanation& why) {
    if (one.verdict != Determination::not_determined) {
        return "";
    }
    std::string text;
    for (const Index number : one.broken) {
        text +=
            formatted("{}{} ({})",
                      text.empty() ? "breaks " : "; ",
                      html::code(to_string(why.classes[static_cast<std::size_t>(number)].example)),
                      number + 1);
    }
    return text.empty() ? "breaks a relation of a generic kind" : text;
}

}  // namespace

std::string verdict_section(const AuditSummary& summary) {
    std::string advice;
    for (const std::string& one : summary.what_to_do()) {
        advice += formatted("<li>{}</li>\n", html::text(one));
    }
    std::string seen;
    for (const Observation& one : summary.observations) {
        seen += formatted("<li><span class=\"badge {}\">{}</span> {}</li>\n",
                          one.concern == Concern::alarm ? "differs" : "open",
                          to_string(one.concern),
                          html::text(one.sentence));
    }
    return formatted(
        "<section id=\"verdict\" aria-label=\"In short\">\n<article>\n<dl>\n<dt>Is it "
        "unique?</dt><dd>"
        "<span class=\"badge {}\">{}</span> {}</dd>\n<dt>How good is it?</dt><dd>{}</dd>\n<dt>What "
        "to do</dt><dd><ul>\n{}</ul></dd>\n<dt>What was seen</dt><dd><ul>\n{}</ul></dd>\n</dl>\n"
        "</article>\n</section>\n",
        badge_of(summary.unique),
        html::text(std::string(to_string(summary.unique))),
        html::text(summary.unique_in_words),
        html::text(summary.good_in_words),
        advice,
        seen.empty() ? "<li>Nothing out of the ordinary.</li>\n" : seen);
}

std::string determined_section(const LayerAudit& audit) {
    return section("determined",
                   "What the data determine",
                   rank_rows(audit) + relations(*audit.found.explanation));
}

std::string held_out_section(const LayerAudit& audit) {
    if (!audit.found.queries) {
        return section("held-out", "Held-out inputs", paragraph("None were given."));
    }
    std::vector<Cells> rows;
    for (const std::size_t k : worst_first(audit.held_out)) {
        const HeldOutInput& one = audit.held_out[k];
        rows.push_back({std::to_string(k),
                        html::text(std::string(to_string(one.verdict))),
                        std::isfinite(one.leverage) ? six_digits(one.leverage) : "infinite",
                        or_any(one.may_differ_by),
                        or_any(one.truth_within),
                        or_any(one.error),
                        reasons(one, *audit.found.explanation)});
        if (rows.size() == kMostRows) {
            break;
        }
    }
    const QueryAudit& queries = *audit.found.queries;
    return section(
        "held-out",
        "Held-out inputs",
        paragraph(formatted("{} determined, {} not, of {}; the mean leverage over the data is "
                            "their rank. Shown are the first {}, the open ones before the others; "
                            "all are in the data of this page.",
                            queries.determined,
                            queries.not_determined,
                            queries.spans.size(),
                            rows.size())) +
            html::table({"input",
                         "output",
                         "leverage",
                         "an equally good layer differs by at most",
                         "truth within, of the best layer",
                         "error",
                         "why open"},
                        rows) +
            leverage_figure(audit));
}

std::string left_out_section(const LayerAudit& audit) {
    std::vector<Cells> rows;
    for (const LeftOut& one : audit.left_out) {
        rows.push_back({html::text(one.what), html::text(one.why)});
    }
    return section(
        "left-out",
        "Not said here",
        rows.empty() ? paragraph("Nothing was left out.") : html::table({"what", "why"}, rows));
}

}  // namespace attest

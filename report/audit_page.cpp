#include "report/audit_page.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/questions/explanation_words.hpp"
#include "core/questions/output.hpp"
#include "record/figure/figure.hpp"
#include "record/summary.hpp"
#include "report/audit_json.hpp"
#include "report/html_report.hpp"
#include "report/pages.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <regex>

namespace attest {

namespace {

constexpr std::string_view kAuditNavigation =
    "<nav aria-label=\"Sections\"><ul>\n"
    "<li><a href=\"#determined\">What the data determine</a></li>\n"
    "<li><a href=\"#held-out\">Held-out inputs</a></li>\n"
    "<li><a href=\"#goodness\">Error and noise</a></li>\n"
    "<li><a href=\"#heads\">Heads</a></li>\n"
    "<li><a href=\"#examples\">The data</a></li>\n"
    "<li><a href=\"#left-out\">Not said</a></li>\n</ul></nav>\n";

std::string subject(const LayerAudit& audit, const AuditNames& names) {
    return formatted(
        "<p class=\"quiet\">{} on {}{}: layer {}, {} of {}, {} for {}, d = {}, ψ = "
        "{}.</p>\n",
        html::code(names.model),
        html::code(names.data),
        names.held_out.empty() ? "" : ", held out " + html::code(names.held_out),
        html::code(to_string(audit.layer)),
        plural(audit.num_sequences, "sequence"),
        tokens_in_words(audit),
        plural(audit.num_examples, "example"),
        plural(audit.o, "output"),
        audit.d,
        audit.psi);
}

constexpr std::size_t kMostRows = 50;
constexpr std::size_t kMostInputsOfRow = 8;

using html::Cells;
using html::paragraph;
using html::section;

/// Four digits that no line break parts.
std::string number(double value) {
    return formatted("<span class=\"number\">{}</span>", brief(value));
}

/// A sentence as HTML; a line break behind "e-" would make another number of 6.997e-08.
std::string sentence(std::string_view plain) {
    static const std::regex kPower(R"(\d[\d.]*e[-+]\d+)");
    return std::regex_replace(html::text(plain), kPower, "<span class=\"number\">$&</span>");
}

/// What hangs on a leverage is infinite where the output is open.
std::string or_any(const std::optional<double>& value) {
    return !value ? "" : std::isfinite(*value) ? number(*value) : "any amount";
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
    return probability < 1.0 ? formatted("at most {}", number(probability)) : "no bound below 1";
}

/// How much of the future is open, where anything can be said of it.
std::string coverage_in_words(const Coverage& coverage) {
    if (coverage.expected >= 1.0 && coverage.at_most >= 1.0) {
        return "nothing can be said of it: with so few examples no bound is below 1";
    }
    return formatted(
        "with probability {} in the mean, {} with confidence {}, if it comes from "
        "the law of the data",
        bounded(coverage.expected),
        bounded(coverage.at_most),
        coverage.confidence);
}

std::string rank_rows(const LayerAudit& audit) {
    const ExactRank& rank = audit.exact().rank;
    const auto& coverage = audit.exact().coverage;
    std::vector<Cells> rows{
        {"rank",
         rank.rank_is_exact() ? formatted("{} of {}, proved over Q", rank.rank_lower, rank.psi)
                              : formatted("{} to {}", rank.rank_lower, rank.rank_upper)},
        {"why", html::text(rank.reason)}};
    if (audit.exact().structure && audit.exact().structure->seen) {
        rows.push_back({"structural rank",
                        formatted("{}: what any inputs of these lengths could determine",
                                  audit.exact().structure->seen->rank)});
    }
    if (coverage) {
        rows.push_back({"a fresh input is left open", coverage_in_words(*coverage)});
    }
    if (coverage && coverage->outside) {
        rows.push_back({"rests on single examples",
                        formatted("{} of {} are not determined by all others",
                                  *coverage->outside,
                                  coverage->draws)});
    }
    if (audit.exact().few_heads) {
        rows.push_back(
            {formatted("near it, among layers of {}", family_in_words(*audit.exact().few_heads)),
             html::text(spaced(std::string(to_string(audit.exact().few_heads->verdict))))});
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
    const auto size = [&](std::size_t k) { return inputs[k].leverage.value_or(0.0); };
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return is_open(a) != is_open(b) ? is_open(a) : size(a) > size(b);
    });
    return order;
}

std::string reasons(const HeldOutInput& one, const std::optional<Explanation>& why) {
    if (one.verdict != Determination::not_determined || !why) {
        return "";
    }
    std::string text;
    for (const Index number : one.broken) {
        text +=
            formatted("{}{} ({})",
                      text.empty() ? "breaks " : "; ",
                      html::code(to_string(why->classes[static_cast<std::size_t>(number)].example)),
                      number + 1);
    }
    return text.empty() ? "breaks a relation of a generic kind" : text;
}

/// Held-out inputs of which the same is said, but for the error.
struct AlikeInputs {
    std::vector<std::size_t> inputs;  ///< ascending
    Cells said;                       ///< output, leverage, two distances, why open
    std::vector<double> errors;
};

/// In the order of the worst of each.
std::vector<AlikeInputs> alike_inputs(const LayerAudit& audit) {
    std::vector<AlikeInputs> groups;
    std::map<Cells, std::size_t> known;
    for (const std::size_t k : worst_first(audit.held_out)) {
        const HeldOutInput& one = audit.held_out[k];
        const Cells said{html::text(spaced(std::string(to_string(one.verdict)))),
                         !one.leverage                  ? ""
                         : std::isfinite(*one.leverage) ? number(*one.leverage)
                                                        : "infinite",
                         or_any(one.may_differ_by),
                         or_any(one.truth_within),
                         reasons(one, audit.exact().explanation)};
        const auto [at, is_new] = known.emplace(said, groups.size());
        if (is_new) {
            groups.push_back({{}, said, {}});
        }
        AlikeInputs& group = groups[at->second];
        group.inputs.push_back(k);
        if (one.error) {
            group.errors.push_back(*one.error);
        }
    }
    for (AlikeInputs& group : groups) {
        std::sort(group.inputs.begin(), group.inputs.end());
    }
    return groups;
}

Cells row_of(const AlikeInputs& group) {
    std::string inputs;
    for (std::size_t k = 0; k < std::min(group.inputs.size(), kMostInputsOfRow); ++k) {
        inputs += (k == 0 ? "" : ", ") + std::to_string(group.inputs[k]);
    }
    if (group.inputs.size() > kMostInputsOfRow) {
        inputs += formatted(", …: {} in all", group.inputs.size());
    }
    std::string error;
    if (!group.errors.empty()) {
        const auto [least, most] = std::minmax_element(group.errors.begin(), group.errors.end());
        error =
            brief(*least) == brief(*most) ? number(*most) : number(*least) + " to " + number(*most);
    }
    return {
        inputs, group.said[0], group.said[1], group.said[2], group.said[3], error, group.said[4]};
}

constexpr std::size_t kMostGroups = 20;

std::vector<Cells> risk_rows(const LayerAudit& audit) {
    if (!audit.risk) {
        return {};
    }
    std::vector<Cells> rows{{"mean squared error on the data",
                             number(std::ldexp(audit.risk->risk, audit.risk->exponent))},
                            {"of the labels' mean square", number(audit.risk->relative)}};
    if (audit.found.model) {
        rows.push_back(
            {"the least of any layer of the family", number(audit.found.model->least_risk)});
    }
    if (audit.held_out_risk) {
        rows.push_back(
            {"held out, of the labels' mean square", number(audit.held_out_risk->relative)});
    }
    return rows;
}

void add_noise(std::vector<Cells>& rows, const NoiseEffect& noise) {
    rows.push_back({noise.is_estimated ? "label noise, estimated from what the best layer leaves"
                                       : "label noise, as given",
                    formatted("{} in each output", number(noise.sigma))});
    rows.push_back({"what it costs the best layer on inputs like the data",
                    formatted("{} of mean squared error, expected", number(noise.excess_risk))});
    if (noise.held_out_excess) {
        rows.push_back({"what it costs on the held-out inputs",
                        std::isfinite(*noise.held_out_excess) ? number(*noise.held_out_excess)
                                                              : "no bound: some outputs are open"});
    }
}

std::string influence_table(const LayerAudit& audit) {
    if (audit.influences.empty()) {
        return "";
    }
    std::vector<Cells> rows;
    for (const Influence& one : audit.influences) {
        rows.push_back({std::to_string(one.example), number(one.share)});
    }
    return html::paragraph(
               "Examples by the share of their own label in the best layer's output there: at 1 "
               "the "
               "output is that label alone.") +
           html::table({"example", "share"}, rows);
}

std::string duplicates_table(const std::vector<DuplicateGroup>& groups) {
    if (groups.empty()) {
        return html::paragraph("No input stands in the data twice.");
    }
    std::vector<Cells> rows;
    for (std::size_t k = 0; k < std::min(groups.size(), kMostGroups); ++k) {
        std::string sequences;
        for (const Index i : groups[k].sequences) {
            sequences += (sequences.empty() ? "" : ", ") + std::to_string(i);
        }
        rows.push_back({sequences, number(groups[k].labels_differ_by)});
    }
    return html::paragraph(formatted("{} stand in the data more than once; the first {}:",
                                     plural(std::ssize(groups), "input"),
                                     rows.size())) +
           html::table({"equal sequences", "their labels differ by up to"}, rows);
}

std::string needed(const HeadNeeds& heads) {
    const std::string has = heads.has == 0 ? "The model has coefficients only; "
                                           : formatted("The model has {}; ", heads.has);
    if (!heads.found) {
        return formatted("{}no fewer were found in the time given, and at least {} are needed.",
                         has,
                         heads.at_least);
    }
    return formatted(
        "{}{} lose nothing but rounding on the data and are {}; at least {} are needed, "
        "certified.",
        has,
        *heads.found,
        heads.same_everywhere ? "the same function on every input"
                              : "not shown to be the same function elsewhere",
        heads.at_least);
}

std::string drawn(const Figure& figure, const std::string& name, const std::string& caption) {
    try {
        return formatted(
            "<figure id=\"figure-{}\">\n<div class=\"drawing\">{}</div>\n<figcaption>{}"
            "</figcaption>\n</figure>\n",
            name,
            html::inline_svg(draw_svg(figure), name),
            html::text(caption));
    } catch (const NotAvailable& error) {
        return formatted("<p class=\"warning\">Not drawn: {}</p>\n", html::text(error.what()));
    }
}

Point at(double x, double y) {
    return {x, y, y, y};
}

}  // namespace

std::string audit_page(const LayerAudit& audit,
                       const AuditSummary& summary,
                       const AuditNames& names) {
    return html::page(
        "Attest audit",
        formatted("<a class=\"skip\" href=\"#main\">Skip to the content</a>\n<header>\n"
                  "<h1>Attest audit</h1>\n{}</header>\n<main id=\"main\">\n{}{}{}{}{}{}{}{}</main>"
                  "\n{}",
                  subject(audit, names),
                  verdict_section(summary, audit.left_out),
                  kAuditNavigation,
                  determined_section(audit),
                  held_out_section(audit),
                  goodness_section(audit),
                  heads_section(audit),
                  examples_section(audit),
                  left_out_section(audit),
                  html::data_block("audit", audit_json(audit, summary))));
}

std::string verdict_section(const AuditSummary& summary, const std::vector<LeftOut>& left_out) {
    return formatted("<section id=\"verdict\" aria-label=\"In short\">\n{}</section>\n",
                     verdict_article(summary, left_out));
}

std::string verdict_article(const AuditSummary& summary, const std::vector<LeftOut>& left_out) {
    std::string advice;
    for (const std::string& one : summary.what_to_do()) {
        advice += formatted("<li>{}</li>\n", sentence(one));
    }
    std::string seen;
    for (const Observation& one : summary.observations) {
        seen += formatted("<li><span class=\"badge {}\">{}</span> {}</li>\n",
                          one.concern == Concern::alarm ? "differs" : "open",
                          to_string(one.concern),
                          sentence(one.sentence));
    }
    std::string missing;
    for (const LeftOut& one : left_out) {
        missing += (missing.empty() ? "" : "; ") + one.what;
    }
    return formatted(
        "<article>\n<dl>\n<dt>Is it unique?</dt><dd><span class=\"badge {}\">{}</span> {}</dd>\n"
        "<dt>How good is it?</dt><dd>{}</dd>\n<dt>What to do</dt><dd><ul>\n{}</ul></dd>\n"
        "<dt>What was seen</dt><dd><ul>\n{}</ul></dd>\n{}</dl>\n</article>\n",
        badge_of(summary.unique),
        html::text(spaced(std::string(to_string(summary.unique)))),
        sentence(summary.unique_in_words),
        sentence(summary.good_in_words),
        advice,
        seen.empty() ? "<li>Nothing out of the ordinary.</li>\n" : seen,
        missing.empty()
            ? ""
            : formatted("<dt>Not said here</dt><dd>{}: <a href=\"#left-out\">why, and how to "
                        "ask</a></dd>\n",
                        html::text(missing)));
}

std::string determined_section(const LayerAudit& audit) {
    return section("determined",
                   "What the data determine",
                   rank_rows(audit) +
                       (audit.exact().explanation ? relations(*audit.exact().explanation) : ""));
}

std::string held_out_section(const LayerAudit& audit) {
    if (audit.held_out.empty()) {
        return section("held-out", "Held-out inputs", paragraph("None were given."));
    }
    const std::vector<AlikeInputs> alike = alike_inputs(audit);
    std::vector<Cells> rows;
    for (std::size_t k = 0; k < std::min(alike.size(), kMostRows); ++k) {
        rows.push_back(row_of(alike[k]));
    }
    const ExactRank& rank = audit.exact().rank;
    const auto& queries = audit.exact().queries;
    const std::string counts = queries ? formatted("{} determined, {} not, of {}",
                                                   queries->determined,
                                                   queries->not_determined,
                                                   queries->spans.size())
                                       : "Whether their outputs are determined was left out";
    return section(
        "held-out",
        "Held-out inputs",
        paragraph(formatted("{}. Leverage says how far an input lies from the data, whose mean "
                            "leverage is their rank{}. Inputs alike share a line, the open ones "
                            "first; {} of {} shown, each input is in the data of this page.",
                            counts,
                            rank.rank_is_exact() ? formatted(", {}", rank.rank_lower) : "",
                            plural(std::ssize(rows), "line"),
                            alike.size())) +
            html::table({"inputs",
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

std::string goodness_section(const LayerAudit& audit) {
    std::vector<Cells> rows = risk_rows(audit);
    if (audit.spectrum) {
        const double condition = audit.spectrum->condition();
        rows.push_back({"condition of the features, numerical", number(condition)});
        if (audit.exact().roundings) {
            rows.push_back(
                {"roundings to a lower rank, numerical", number(*audit.exact().roundings)});
        }
        rows.push_back(
            {"hence labels changed by the share ε of the best layer's outputs change it by at "
             "most",
             formatted("the share {} ε of its coefficients", number(condition))});
    }
    if (audit.noise) {
        add_noise(rows, *audit.noise);
    }
    return html::section(
        "goodness", "Error and noise", html::table({}, rows) + influence_table(audit));
}

std::string heads_section(const LayerAudit& audit) {
    const HeadNeeds& heads = audit.heads;
    if (!heads.not_sought.empty()) {
        return html::section(
            "heads", "Heads", html::paragraph("Not sought: " + heads.not_sought + "."));
    }
    std::vector<Cells> rows;
    for (const HeadLossAt& at : heads.fewer) {
        rows.push_back({std::to_string(at.heads), number(at.loss)});
    }
    return html::section(
        "heads",
        "Heads",
        html::paragraph(needed(heads)) +
            (rows.empty() ? ""
                          : html::table({"heads", "share of the output's mean square lost"}, rows) +
                                head_figure(heads)));
}

std::string examples_section(const LayerAudit& audit) {
    std::string facts;
    for (const std::string& fact : in_words(audit.facts)) {
        facts += formatted("<li>{}</li>\n", html::text(fact));
    }
    return html::section(
        "examples",
        "The data",
        (facts.empty() ? html::paragraph("No coordinate is zero, constant or a combination of "
                                         "others in every token.")
                       : formatted("<ul>\n{}</ul>\n", facts)) +
            duplicates_table(audit.duplicates));
}

std::string head_figure(const HeadNeeds& heads) {
    if (heads.fewer.size() < 2) {
        return "";
    }
    Series loss{"loss", {}, SeriesStyle::line_points};
    for (const HeadLossAt& point : heads.fewer) {
        loss.points.push_back(at(static_cast<double>(point.heads), point.loss));
    }
    const Panel panel{"",
                      {"heads"},
                      {"share of the output's mean square lost", Scale::log10},
                      {loss},
                      {},
                      Legend::none};
    return drawn({"", {panel}},
                 "heads",
                 "The best approximation found with so many heads, in the norm of the data.");
}

std::string leverage_figure(const LayerAudit& audit) {
    std::vector<double> leverages;
    for (const HeldOutInput& one : audit.held_out) {
        if (one.leverage && std::isfinite(*one.leverage) && *one.leverage > 0.0) {
            leverages.push_back(*one.leverage);
        }
    }
    if (leverages.size() < 2) {
        return "";
    }
    std::sort(leverages.begin(), leverages.end());
    Series series{"leverage", {}, SeriesStyle::points};
    for (std::size_t k = 0; k < leverages.size(); ++k) {
        series.points.push_back(at(static_cast<double>(k + 1), leverages[k]));
    }
    Guide mean;
    mean.at = static_cast<double>(audit.spectrum->rank);
    mean.label = "mean over the data";
    const Panel panel{"",
                      {"held-out inputs, ordered"},
                      {"leverage", Scale::log10},
                      {series},
                      {mean},
                      Legend::none};
    return drawn({"", {panel}},
                 "leverage",
                 "Leverage of the held-out inputs where it is finite: its root is what an excess "
                 "risk on the data is multiplied by there.");
}

}  // namespace attest

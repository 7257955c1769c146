#include "core/base/plural.hpp"
#include "core/base/text.hpp"
#include "report/audit_sections.hpp"
#include "report/html_blocks.hpp"
#include "report/html_text.hpp"

#include <algorithm>
#include <cmath>

namespace attest {

namespace {

using html::Cells;

constexpr std::size_t kMostGroups = 20;

std::vector<Cells> risk_rows(const LayerAudit& audit) {
    if (!audit.risk) {
        return {};
    }
    std::vector<Cells> rows{
        {"mean squared error on the data", six_digits(audit.found.model->risk)},
        {"of the labels' mean square", six_digits(audit.risk->relative)},
        {"the least of any layer of the family", six_digits(audit.found.model->least_risk)}};
    if (audit.held_out_risk) {
        rows.push_back(
            {"held out, of the labels' mean square", six_digits(audit.held_out_risk->relative)});
    }
    return rows;
}

void add_noise(std::vector<Cells>& rows, const NoiseEffect& noise) {
    rows.push_back({noise.is_estimated ? "label noise, estimated from what the best layer leaves"
                                       : "label noise, as given",
                    formatted("{} in each output", noise.sigma)});
    rows.push_back({"what it costs the best layer on inputs like the data",
                    formatted("{} of mean squared error, expected", noise.excess_risk)});
    if (noise.held_out_excess) {
        rows.push_back({"what it costs on the held-out inputs",
                        std::isfinite(*noise.held_out_excess) ? six_digits(*noise.held_out_excess)
                                                              : "no bound: some outputs are open"});
    }
}

std::string influence_table(const LayerAudit& audit) {
    std::vector<Cells> rows;
    for (const Influence& one : audit.influences) {
        rows.push_back({std::to_string(one.example), six_digits(one.share)});
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
        rows.push_back({sequences, six_digits(groups[k].labels_differ_by)});
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

}  // namespace

std::string goodness_section(const LayerAudit& audit) {
    std::vector<Cells> rows = risk_rows(audit);
    const double condition = audit.spectrum.condition();
    rows.push_back({"condition of the features, numerical", six_digits(condition)});
    rows.push_back(
        {"hence labels changed by the share ε of the best layer's outputs change it by at "
         "most",
         formatted("the share {} ε of its coefficients", condition)});
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
        rows.push_back({std::to_string(at.heads), six_digits(at.loss)});
    }
    return html::section(
        "heads",
        "Heads",
        html::paragraph(needed(heads)) +
            html::table({"heads", "share of the output's mean square lost"}, rows) +
            head_figure(heads));
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

}  // namespace attest

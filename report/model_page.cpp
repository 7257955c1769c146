#include "report/model_page.hpp"

#include "core/base/json_text.hpp"
#include "core/base/text.hpp"
#include "core/questions/output.hpp"
#include "record/summary.hpp"
#include "record/table.hpp"
#include "report/audit_json.hpp"
#include "report/audit_page.hpp"
#include "report/html_report.hpp"
#include "report/pages.hpp"

#include <nlohmann/json.hpp>

#include <set>

namespace attest {

namespace {

using nlohmann::ordered_json;

const std::vector<std::string>& headings() {
    static const std::vector<std::string> all{
        "layer", "unique", "kind", "heads", "examples", "rank", "error", "held out", "alarms"};
    return all;
}

/// "80 of 80", or what is known of it.
std::string rank_in_words(const LayerAudit& audit) {
    const ExactRank& rank = audit.exact().rank;
    return rank.rank_is_exact()
               ? formatted("{} of {}", rank.rank_lower, rank.psi)
               : formatted("{} to {} of {}", rank.rank_lower, rank.rank_upper, rank.psi);
}

std::string share(const std::optional<Risk>& risk) {
    return risk ? brief(risk->relative) : "";
}

std::vector<std::string> line_of(const AuditedLayer& one) {
    return {one.name,
            spaced(std::string(to_string(one.summary.unique))),
            to_string(one.audit.layer),
            one.audit.heads.has == 0 ? "" : std::to_string(one.audit.heads.has),
            std::to_string(one.audit.num_examples),
            rank_in_words(one.audit),
            share(one.audit.risk),
            share(one.audit.held_out_risk),
            std::to_string(one.summary.alarms())};
}

ordered_json relative(const std::optional<Risk>& risk) {
    return risk ? number_or_null(risk->relative) : ordered_json(nullptr);
}

ordered_json layer_json(const AuditedLayer& one) {
    const ExactRank& rank = one.audit.exact().rank;
    return {
        {"name", one.name},
        {"layer", to_string(one.audit.layer)},
        {"heads", one.audit.heads.has},
        {"psi", one.audit.psi},
        {"num_examples", one.audit.num_examples},
        {"unique", to_string(one.summary.unique)},
        {"rank_lower", rank.rank_lower},
        {"rank_upper", rank.rank_upper},
        {"relative_risk", relative(one.audit.risk)},
        {"held_out_relative_risk", relative(one.audit.held_out_risk)},
        {"records_fit", one.records_fit ? ordered_json(*one.records_fit) : ordered_json(nullptr)},
        {"alarms", one.summary.alarms()},
        {"observations", observations_json(one.summary.observations)},
        {"what_to_do", one.summary.what_to_do()},
        {"left_out", left_out_json(beyond_budget(one.audit))}};
}

std::string budget_section(const AuditedLayer& one) {
    std::vector<html::Cells> rows;
    for (const LeftOut& left : beyond_budget(one.audit)) {
        rows.push_back({html::text(left.what), html::text(left.why)});
    }
    return rows.empty() ? "" : html::table({"left out", "why"}, rows);
}

Index all_alarms(const std::vector<AuditedLayer>& layers) {
    Index alarms = 0;
    for (const AuditedLayer& one : layers) {
        alarms += one.summary.alarms();
    }
    return alarms;
}

}  // namespace

std::string model_table(const std::vector<AuditedLayer>& layers) {
    Table table;
    for (const std::string& heading : headings()) {
        table.columns.push_back({heading, Alignment::left});
    }
    std::string more;
    for (const AuditedLayer& one : layers) {
        std::vector<Cell> cells;
        for (std::string& cell : line_of(one)) {
            cells.emplace_back(std::move(cell));
        }
        table.rows.push_back(std::move(cells));
        for (const Observation& seen : one.summary.observations) {
            if (seen.concern == Concern::alarm) {
                more += formatted("{}: {} {}\n", one.name, seen.sentence, seen.advice);
            }
        }
        for (const LeftOut& left : beyond_budget(one.audit)) {
            more += formatted("{}: left out {}: {}\n", one.name, left.what, left.why);
        }
    }
    return to_terminal(table) + (more.empty() ? "" : "\n" + more);
}

ordered_json model_json(const std::vector<AuditedLayer>& layers) {
    ordered_json list = ordered_json::array();
    for (const AuditedLayer& one : layers) {
        list.push_back(layer_json(one));
    }
    return {{"layers", list}, {"alarms", all_alarms(layers)}};
}

std::string model_page(const std::vector<AuditedLayer>& layers, const ModelNames& names) {
    std::vector<html::Cells> rows;
    std::string parts;
    for (const AuditedLayer& one : layers) {
        html::Cells cells;
        for (const std::string& cell : line_of(one)) {
            cells.push_back(
                cells.empty()
                    ? formatted("<a href=\"#{}\">{}</a>", html::id(one.name), html::breakable(cell))
                    : html::text(cell));
        }
        rows.push_back(std::move(cells));
        parts += html::section(
            one.name, one.name, verdict_article(one.summary, {}) + budget_section(one));
    }
    return html::page(
        "Attest audit of a model",
        formatted(
            "<a class=\"skip\" href=\"#main\">Skip to the content</a>\n<header>\n<h1>Attest audit "
            "of a model</h1>\n<p class=\"quiet\">{} on the records in {}: {}, {}. Errors are "
            "shares "
            "of the labels' mean square.</p>\n</header>\n<main id=\"main\">\n{}{}</main>\n{}",
            html::code(names.weights),
            html::code(names.records),
            plural(std::ssize(layers), "layer"),
            plural(all_alarms(layers), "alarm"),
            html::table(headings(), rows),
            parts,
            html::data_block("audit", model_json(layers))));
}

}  // namespace attest

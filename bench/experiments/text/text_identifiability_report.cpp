#include "bench/experiments/text/text_identifiability_report.hpp"

#include "bench/experiments/frame/group_table.hpp"
#include "bench/experiments/text/text_case.hpp"
#include "record/cells.hpp"
#include "record/figure/figure.hpp"

namespace attest {

namespace {

/// What takes rank away, the most general first.
std::vector<std::string> reasons_of(const Row& row) {
    const auto number = [&](const char* name) {
        const auto found = row.metrics.find(name);  // rows of before 1.0 lack few_meetings
        return found == row.metrics.end() ? 0 : static_cast<Index>(found->second.value);
    };
    if (number("nullity") == 0) {
        return {"full rank"};
    }
    const char* const tokens =
        select_rows({row}, "representation", "characters").empty() ? "tokens" : "characters";
    const Index d = static_cast<Index>(number_field(row, "d"));
    const Index q = number("squares");
    std::vector<std::string> reasons;
    if (number("rank_of_types") < q) {
        reasons.push_back(formatted("squares of {} {} span {} of {}",
                                    number("num_types"),
                                    tokens,
                                    number("rank_of_types"),
                                    q));
    } else if (number("rank_of_states") < q) {
        reasons.push_back(
            formatted("states span {} of {}: one length", number("rank_of_states"), q));
    }
    if (number("rank_of_queries") < d) {
        reasons.push_back(formatted("queries span {} of {}", number("rank_of_queries"), d));
    }
    if (number("few_meetings") > 0) {
        reasons.push_back(formatted("{} of {} {} meet fewer than {} queries",
                                    number("few_meetings"),
                                    number("num_types"),
                                    tokens,
                                    number("rank_of_queries")));
    }
    if (reasons.empty()) {
        reasons.push_back(formatted("{} that never met in a window", tokens));
    }
    return reasons;
}

std::string in_one_line(const std::vector<std::string>& reasons) {
    std::string line;
    for (const std::string& reason : reasons) {
        line += (line.empty() ? "" : "; ") + reason;
    }
    return line;
}

Table identifiability_table(const std::vector<Row>& rows) {
    const NumberFormat whole{NumberFormat::Style::shortest, 0};
    Table table = group_table(rows,
                              {{"d", "d"}, {"source"}, {"representation"}},
                              {{"num_examples", whole, "N"},
                               {"psi", whole, "ψ"},
                               {"num_types", whole, "types"},
                               {"rank", whole, "rank"},
                               {"rank_at_most", whole, "at most"},
                               {"law", whole, "types × queries"},
                               {"nullity", whole},
                               {"lambda_min", kThreeDigits, "λ_min, numerical"},
                               {"condition", kThreeDigits, "condition of H"}});
    table.columns.push_back({"reason", Alignment::left});
    std::size_t line = 0;
    for (const std::vector<Row>& group : split_rows(rows, {"d", "source", "representation"})) {
        const Row& row = group.front();
        table.rows[line++].push_back(row.metrics.contains("nullity")
                                         ? text_cell(in_one_line(reasons_of(row)), {row}, "nullity")
                                         : Cell());
    }
    return table;
}

/// The share of the features that is lost, a representation a place on the axis.
Figure identifiability_figure(const std::vector<Row>& rows) {
    Figure figure;
    figure.title = "Which representations of text satisfy the certificate";
    Panel panel;
    panel.x = {"d"};
    panel.y = {"rank / ψ"};
    panel.y.min = 0.0;
    for (const std::string& name : distinct_values(rows, "representation")) {
        Series series;
        series.name = name;
        for (const Row& row :
             select_rows(select_rows(rows, "source", "text"), "representation", name)) {
            if (const std::optional<double> rank = finite_metric(row, "rank")) {
                const double share = *rank / row.metrics.at("psi").value;
                series.points.push_back({number_field(row, "d"), share, share, share});
            }
        }
        if (!series.points.empty()) {
            panel.series.push_back(series);
        }
    }
    panel.guides = {{Guide::Direction::horizontal, 1.0, "certified"}};
    figure.panels.push_back(panel);
    return figure;
}

}  // namespace

std::string main_reason(const Row& row) {
    return reasons_of(row).front();
}

std::string identifiability_text(const std::vector<Row>& rows) {
    return leak_line(rows) + to_terminal(identifiability_table(rows));
}

Derived identifiability_derived(const std::vector<Row>& rows) {
    Derived derived{{{"text_identifiability", identifiability_table(rows)}}, {}};
    const Figure figure = identifiability_figure(rows);
    if (!figure.panels.front().series.empty()) {
        derived.figures.push_back({"text_identifiability", figure});
    }
    return derived;
}

}  // namespace attest

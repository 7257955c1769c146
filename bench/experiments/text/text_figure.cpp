#include "bench/experiments/text/text_figure.hpp"

#include "bench/experiments/text/text_identifiability_report.hpp"
#include "core/base/text.hpp"
#include "record/figure/series.hpp"

#include <utility>

namespace attest {

namespace {

void add_series(Panel& panel, std::string name, std::vector<Series> found) {
    for (Series& series : found) {
        series.name = name;
        panel.series.push_back(std::move(series));
    }
}

Panel coverage_panel(const std::vector<Row>& rows) {
    Panel panel;
    panel.title = "Windows of 3 words that N leave open";
    panel.x = {"windows learned from, N", Scale::log10};
    panel.y = {"undetermined share", Scale::log10};
    panel.legend = Legend::below;
    const std::vector<Row> short_windows = select_rows(rows, "n", "3");
    for (const auto& [metric, name] : {std::pair{"bound", "bound rank/(N + 1)"},
                                       std::pair{"leave_one_out", "leave one out"},
                                       std::pair{"same_documents", "same documents"},
                                       std::pair{"other_family", "another family"}}) {
        add_series(panel, name, series_from_rows(short_windows, {"num_examples", metric}));
    }
    return panel;
}

/// The mean of a learner's metric as a line across the panel, named at its left end.
void add_floor(Panel& panel,
               const std::vector<Row>& rows,
               const char* metric,
               const std::string& name) {
    const std::vector<RowGroup> groups =
        group_rows(select_rows(rows, "learner", "least_squares"), {}, metric);
    if (!groups.empty() && groups.front().summary.count > 0) {
        const double at = groups.front().summary.mean;
        panel.guides.push_back({Guide::Direction::horizontal, at, ""});
        panel.notes.push_back({1.0, at, name});
    }
}

Panel heads_panel(const std::vector<Row>& rows) {
    const std::vector<Row> dense = select_rows(select_rows(rows, "labels", "ppmi"), "d", "8");
    const std::vector<Row> heads = select_rows(dense, "learner", "heads");
    Panel panel;
    panel.title = "Heads by Adam, d = 8";
    panel.x = {"heads", Scale::log10};
    panel.x.ticks = {1, 4, 36};
    panel.y = {"risk relative to the mean label's"};
    panel.legend = Legend::below;
    for (const auto& [metric, name] : {std::pair{"train_risk", "training"},
                                       std::pair{"test_risk", "held out"},
                                       std::pair{"early_test_risk", "held out, stopped early"}}) {
        add_series(panel, name, series_from_rows(heads, {"heads", metric}));
    }
    add_floor(panel, dense, "train_risk", "least squares, training");
    add_floor(panel, dense, "test_risk", "least squares, held out");
    return panel;
}

/// A representation a line: its name and what takes rank away, and below it the share of the rank
/// that is missing at each d.
Panel representation_panel(const std::vector<Row>& rows) {
    const std::vector<Row> text = select_rows(rows, "source", "text");
    Panel panel;
    panel.title = "What takes rank away, windows of 8";
    panel.x = {.label = "nullity / ψ", .min = -0.02, .max = 1.0};
    panel.y.is_hidden = true;
    panel.legend = Legend::below;
    for (const std::string& d : distinct_values(text, "d")) {
        panel.series.push_back({"d = " + d, {}, SeriesStyle::points});
    }
    double line = 0.0;
    for (const std::string& name : distinct_values(text, "representation")) {
        std::string reason;
        for (std::size_t k = 0; k < panel.series.size(); ++k) {
            const std::string d = panel.series[k].name.substr(4);
            for (const Row& row : select_rows(select_rows(text, "representation", name), "d", d)) {
                if (const std::optional<double> nullity = finite_metric(row, "nullity")) {
                    const double share = *nullity / row.metrics.at("psi").value;
                    panel.series[k].points.push_back({share, line, line, line});
                    reason = main_reason(row);
                }
            }
        }
        panel.notes.push_back({0.0, line, formatted("{}: {}", name, reason)});
        line -= 1.0;
    }
    panel.y.min = line + 0.5;
    panel.y.max = 0.8;
    return panel;
}

bool is_empty(const Panel& panel) {
    for (const Series& series : panel.series) {
        if (!series.points.empty()) {
            return false;
        }
    }
    return true;
}

std::optional<Figure> draw(const std::vector<std::vector<Row>>& rows) {
    Figure figure;
    figure.title = "Real text: what is determined, what is learned, what is certified";
    figure.columns = 3;
    figure.panel_width = 480;
    figure.panel_height = 560;
    figure.panels = {coverage_panel(rows[0]), heads_panel(rows[1]), representation_panel(rows[2])};
    for (const Panel& panel : figure.panels) {
        if (is_empty(panel)) {
            return std::nullopt;
        }
    }
    return figure;
}

}  // namespace

JointFigure text_figure() {
    return {"text",
            "real text: what N windows determine, heads against least squares, representations",
            {"text_coverage", "text_learning", "text_identifiability"},
            draw};
}

}  // namespace attest

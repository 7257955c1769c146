#include "bench/experiments/softmax/distil_report.hpp"

#include "bench/experiments/frame/group_table.hpp"
#include "bench/experiments/frame/power_law.hpp"
#include "core/base/bitwise.hpp"
#include "core/base/text.hpp"
#include "record/cells.hpp"

#include <algorithm>
#include <cmath>

namespace attest {

namespace {

/// Rows at the smallest temperatures' scores that an exponent is fitted to.
constexpr std::size_t kPointsOfFit = 2;

std::vector<Row> by_tau(std::vector<Row> rows) {
    std::erase_if(rows, [](const Row& row) { return row.status != RowStatus::ok; });
    std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
        return number_field(a, "tau") < number_field(b, "tau");
    });
    return rows;
}

double measured_exponent(const std::vector<Row>& rows) {
    std::vector<double> x;
    std::vector<double> y;
    for (const Row& row : by_tau(rows)) {
        if (x.size() < kPointsOfFit) {
            x.push_back(number_field(row, "tau"));
            y.push_back(row.metrics.at("risk").value);
        }
    }
    return x.size() < 2 ? std::nan("") : fit_power_law(x, y).exponent;
}

/// The risk of one row over the leading term of its series.
double over_theory(const std::vector<Row>& rows) {
    const Metrics& metrics = rows.front().metrics;
    return metrics.at("risk").value / metrics.at("predicted").value;
}

/// One line for each problem and family: the risk at full scores, and how it falls.
Table distil_table(const std::vector<Row>& all) {
    Table table;
    table.columns = {{"d"},
                     {"n"},
                     {"family", Alignment::left},
                     {"rank"},
                     {"τ = 1", Alignment::right, kThreeDigits},
                     {"held out", Alignment::right, kThreeDigits},
                     {"least τ"},
                     {"there", Alignment::right, kThreeDigits},
                     {"over theory", Alignment::right, kThreeDigits},
                     {"exponent", Alignment::right, kThreeDigits},
                     {"theory"}};
    for (const std::vector<Row>& group :
         split_rows(select_rows(all, "learner", "least_squares"), {"d", "n", "family"})) {
        const std::vector<Row> rows = by_tau(group);
        if (rows.empty()) {
            continue;
        }
        const Row& small = rows.front();
        const auto whole_scores = std::find_if(rows.begin(), rows.end(), [](const Row& row) {
            return bitwise_equal(number_field(row, "tau"), 1.0);
        });
        const Row& large = whole_scores == rows.end() ? rows.back() : *whole_scores;
        table.rows.push_back({setting_cell(small, "d"),
                              setting_cell(small, "n"),
                              setting_cell(small, "family"),
                              whole(metric_cell(small, "rank")),
                              metric_cell(large, "relative"),
                              metric_cell(large, "held_out_relative"),
                              setting_cell(small, "tau"),
                              metric_cell(small, "relative"),
                              computed_cell({small}, "risk/predicted", over_theory),
                              computed_cell(rows, "exponent of risk in tau", measured_exponent),
                              whole(metric_cell(small, "predicted_exponent"))});
    }
    return table;
}

/// Training beside the least risk, in units of it.
Table training_table_of(const std::vector<Row>& rows) {
    return group_table(select_rows(rows, "learner", "trained"),
                       {{"d", "d"}, {"n", "n"}, "family", {"tau", "τ"}},
                       {{"floor_relative", kThreeDigits, "floor"},
                        {"relative", kThreeDigits, "least squares"},
                        {"adam_relative", kThreeDigits, "Adam, best start"},
                        {"adam_worst", kThreeDigits, "Adam, worst start"},
                        {"sgd_relative", kThreeDigits, "SGD, best start"}});
}

Series curve_of_metric(const std::vector<Row>& rows,
                       const std::string& metric,
                       std::string name,
                       SeriesStyle style) {
    Series series{std::move(name), {}, style};
    for (const Row& row : by_tau(rows)) {
        if (const auto value = finite_metric(row, metric); value && *value > 0.0) {
            series.points.push_back({number_field(row, "tau"), *value, *value, *value});
        }
    }
    return series;
}

Panel family_panel(const std::vector<Row>& rows) {
    Panel panel;
    panel.title = formatted("d = {}, n = {} tokens",
                            to_string(*field(rows.front(), "d")),
                            to_string(*field(rows.front(), "n")));
    panel.x = {"τ, the factor of all scores", Scale::log10};
    panel.y = {"relative least risk", Scale::log10};
    panel.legend = Legend::none;
    for (const std::vector<Row>& family : split_rows(rows, {"family"})) {
        panel.series.push_back(curve_of_metric(family,
                                               "relative",
                                               to_string(*field(family.front(), "family")),
                                               SeriesStyle::line_points));
    }
    const std::vector<Row> first = split_rows(rows, {"family"}).front();
    panel.series.push_back(curve_of_metric(
        first, "single_sum_relative", "bound for all single sums", SeriesStyle::line));
    std::erase_if(panel.series, [](const Series& series) { return series.points.empty(); });
    return panel;
}

}  // namespace

std::string distil_text(const std::vector<Row>& rows) {
    return "The best layer in place of a softmax head, and how its risk falls with the scores\n" +
           to_terminal(distil_table(rows)) + "\nTraining beside it\n" +
           to_terminal(training_table_of(rows));
}

Derived distil_derived(const std::vector<Row>& rows) {
    Derived derived{{{"distil", distil_table(rows)}, {"distil_training", training_table_of(rows)}},
                    {}};
    Figure figure;
    figure.title = "The least risk of layers in place of a softmax head";
    figure.columns = 2;
    figure.panel_width = 480;
    figure.panel_height = 380;
    figure.legend = Legend::below;
    for (const std::vector<Row>& problem :
         split_rows(select_rows(rows, "learner", "least_squares"), {"d", "n"})) {
        Panel panel = family_panel(problem);
        if (!panel.series.empty()) {
            figure.panels.push_back(std::move(panel));
        }
    }
    if (!figure.panels.empty()) {
        derived.figures.push_back({"distil", figure});
    }
    return derived;
}

}  // namespace attest

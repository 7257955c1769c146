#include "bench/experiments/certificates/robustness_report.hpp"

#include "bench/experiments/certificates/robustness_problem.hpp"
#include "bench/experiments/frame/group_table.hpp"
#include "record/cells.hpp"
#include "record/figure/series.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace attest {

namespace {

std::string title_of_violation(std::string_view violation) {
    return violation == "low_rank"       ? "low-rank tokens + jitter"
           : violation == "single_token" ? "mostly single tokens"
           : violation == "signs"        ? "entries ±1 + jitter"
                                         : "one-hot tokens + jitter";
}

std::string title_of_learner(const std::string& learner) {
    return learner == "minimum_norm" ? "least squares"
           : learner == "ridge"      ? "ridge, truth's norm known"
                                     : "ridge, validated";
}

/// Medians over repetitions: one line for each violation and degree.
Table degree_table(const std::vector<Row>& rows) {
    std::vector<GroupColumn> columns;
    const auto add = [&](const char* header, const char* learner, const char* metric) {
        columns.push_back({metric, kThreeDigits, header, Statistic::median, learner});
    };
    add("rank", "minimum_norm", "rank");
    add("λ_min(Λ_D), numerical", "minimum_norm", "lambda_min");
    add("same distribution", "minimum_norm", "in_distribution");
    add("predicted elsewhere", "minimum_norm", "predicted");
    add("measured elsewhere", "minimum_norm", "ood");
    add("with ridge", "ridge", "ood");
    add("ridge, same distribution", "ridge", "in_distribution");
    add("with validated ridge", "ridge_validated", "ood");
    return group_table(rows, {"violation", {"degree", "degree"}}, columns);
}

struct LogPair {
    double x;
    double y;
};

double correlation(const std::vector<LogPair>& pairs) {
    const auto count = static_cast<double>(pairs.size());
    double mean_x = 0.0;
    double mean_y = 0.0;
    for (const LogPair& pair : pairs) {
        mean_x += pair.x / count;
        mean_y += pair.y / count;
    }
    double xx = 0.0;
    double yy = 0.0;
    double xy = 0.0;
    for (const LogPair& pair : pairs) {
        xx += (pair.x - mean_x) * (pair.x - mean_x);
        yy += (pair.y - mean_y) * (pair.y - mean_y);
        xy += (pair.x - mean_x) * (pair.y - mean_y);
    }
    return xy / std::sqrt(xx * yy);
}

/// Logarithms of two metrics of the rows that have both.
std::vector<LogPair> logarithms(const std::vector<Row>& rows,
                                const std::string& x,
                                const std::string& y) {
    std::vector<LogPair> pairs;
    for (const Row& row : rows) {
        if (row.status == RowStatus::ok && row.metrics.contains("predicted")) {
            pairs.push_back({std::log(row.metrics.at(x).value), std::log(row.metrics.at(y).value)});
        }
    }
    return pairs;
}

double spread(const std::vector<LogPair>& pairs) {
    const auto [low, high] = std::minmax_element(
        pairs.begin(), pairs.end(), [](const LogPair& a, const LogPair& b) { return a.y < b.y; });
    return std::exp(high->y - low->y);
}

/// Least or greatest measured over predicted.
double factor(const std::vector<Row>& rows, Statistic statistic) {
    const std::vector<LogPair> pairs = logarithms(rows, "predicted", "ood");
    const auto [low, high] =
        std::minmax_element(pairs.begin(), pairs.end(), [](const LogPair& a, const LogPair& b) {
            return a.y - a.x < b.y - b.x;
        });
    const LogPair& end = statistic == Statistic::least ? *low : *high;
    return std::exp(end.y - end.x);
}

/// How well the prediction does, and how well two simpler numbers would: of rows that have one.
std::vector<Cell> prediction_cells(const std::string& name, const std::vector<Row>& all) {
    std::vector<Row> rows;
    std::copy_if(all.begin(), all.end(), std::back_inserter(rows), [](const Row& row) {
        return row.status == RowStatus::ok && row.metrics.contains("predicted");
    });
    if (rows.empty()) {
        std::vector<Cell> nothing(9);
        nothing.front() = name;
        return nothing;
    }
    const auto correlated = [&](const std::string& x) {
        return computed_cell(
            rows, "log-correlation of " + x + " and ood", [x](const std::vector<Row>& mine) {
                return correlation(logarithms(mine, x, "ood"));
            });
    };
    const auto extreme = [&](Statistic statistic) {
        return computed_cell(
            rows, "ood/predicted", [=](const auto& mine) { return factor(mine, statistic); });
    };
    const auto ratio = [&](const std::string& metric) {
        return computed_cell(rows, "max/min of " + metric, [metric](const std::vector<Row>& mine) {
            return spread(logarithms(mine, "predicted", metric));
        });
    };
    return {name,
            cell_of(group_rows(rows, {}, "predicted").front(), Statistic::count),
            correlated("predicted"),
            extreme(Statistic::least),
            extreme(Statistic::greatest),
            correlated("lambda_min"),
            correlated("in_distribution"),
            ratio("in_distribution"),
            ratio("ood")};
}

Table prediction_table(const std::vector<Row>& rows) {
    Table table;
    table.columns = {
        {"violation", Alignment::left},
        {"rows"},
        {"log-correlation with the prediction", Alignment::right, {NumberFormat::Style::fixed, 4}},
        {"least measured/predicted", Alignment::right, kThreeDigits},
        {"largest", Alignment::right, kThreeDigits},
        {"log-correlation with λ_min", Alignment::right, kThreeDigits},
        {"with the error on the same distribution", Alignment::right, kThreeDigits},
        {"max/min on the same distribution", Alignment::right, kThreeDigits},
        {"max/min elsewhere", Alignment::right, kThreeDigits}};
    const std::vector<Row> mine = select_rows(rows, "learner", "minimum_norm");
    for (const auto& [violation, name] : kViolations) {
        table.rows.push_back(
            prediction_cells(std::string(name), select_rows(mine, "violation", name)));
    }
    table.rows.push_back(prediction_cells("all", mine));
    return table;
}

/// One curve for each learner, and the prediction; degree 0 has no place on the axis.
Panel degree_panel(const std::vector<Row>& rows, std::string_view violation) {
    Panel panel;
    panel.title = title_of_violation(violation);
    panel.x = {"degree", Scale::log10};
    panel.y = {"relative error", Scale::log10};
    panel.legend = Legend::none;
    std::vector<Row> mine = select_rows(rows, "violation", violation);
    mine.erase(std::remove_if(mine.begin(),
                              mine.end(),
                              [](const Row& row) {
                                  return std::get<double>(field(row, "degree").value()) <= 0.0;
                              }),
               mine.end());
    const auto add = [&](const std::string& learner, const char* metric, const std::string& name) {
        std::vector<Series> curve = series_from_rows(select_rows(mine, "learner", learner),
                                                     {"degree", metric, {}, Spread::range});
        for (Series& series : curve) {
            series.name = name;
            panel.series.push_back(series);
        }
    };
    add("minimum_norm", "in_distribution", "least squares, same distribution");
    add("minimum_norm", "predicted", "predicted elsewhere");
    for (const char* learner : {"minimum_norm", "ridge", "ridge_validated"}) {
        add(learner, "ood", title_of_learner(learner) + ", elsewhere");
    }
    panel.guides = {{Guide::Direction::horizontal, 1.0, "zero function"}};
    return panel;
}

}  // namespace

std::string robustness_text(const std::vector<Row>& rows) {
    return "Relative errors, medians over repetitions; elsewhere: standard normal entries\n" +
           to_terminal(degree_table(rows)) + "\n" + to_terminal(prediction_table(rows));
}

Derived robustness_derived(const std::vector<Row>& rows) {
    Figure figure;
    figure.title = "Errors by degrees of identifiability; elsewhere = standard normal entries";
    figure.columns = 2;
    figure.panel_width = 560;
    figure.panel_height = 400;
    figure.legend = Legend::below;
    for (const auto& [violation, name] : kViolations) {
        figure.panels.push_back(degree_panel(rows, name));
    }
    return {{{"robustness", degree_table(rows)}, {"robustness_prediction", prediction_table(rows)}},
            {{"robustness", figure}}};
}

}  // namespace attest

#include "bench/experiments/frame/report_files.hpp"
#include "bench/experiments/certificates/robustness.hpp"
#include "bench/experiments/certificates/robustness_problem.hpp"
#include "record/figure/figure.hpp"
#include "record/figure/series.hpp"
#include "record/summary.hpp"
#include "record/table.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace attest {

namespace {

constexpr NumberFormat kThree{NumberFormat::Style::significant, 3};

std::string title_of(std::string_view violation) {
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
Table main_table(const std::vector<Row>& rows) {
    Table table;
    table.columns = {{"violation", Alignment::left}, {"degree"}};
    const auto add = [&](const std::string& header, const std::string& learner, const char* name) {
        table.columns.push_back({header, Alignment::right, kThree});
        const std::vector<RowGroup> groups =
            group_rows(select_rows(rows, "learner", learner), {"violation", "degree"}, name);
        for (std::size_t g = 0; g < groups.size(); ++g) {
            if (table.rows.size() <= g) {
                table.rows.push_back(
                    {to_string(groups[g].keys[0]), std::get<double>(groups[g].keys[1])});
            }
            const Summary& summary = groups[g].summary;
            table.rows[g].push_back(summary.count > 0 ? Cell(summary.median) : Cell());
        }
    };
    add("rank", "minimum_norm", "rank");
    add("λ_min(Λ_D), numerical", "minimum_norm", "lambda_min");
    add("same distribution", "minimum_norm", "in_distribution");
    add("predicted elsewhere", "minimum_norm", "predicted");
    add("measured elsewhere", "minimum_norm", "ood");
    add("with ridge", "ridge", "ood");
    add("ridge, same distribution", "ridge", "in_distribution");
    add("with validated ridge", "ridge_validated", "ood");
    return table;
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

/// Of the rows with a prediction: how well it does, and how well two simpler numbers would.
std::vector<Cell> prediction_cells(const std::string& name, const std::vector<Row>& rows) {
    const std::vector<LogPair> predicted = logarithms(rows, "predicted", "ood");
    double least = 0.0;
    double largest = 0.0;
    double range = 0.0;
    double in_range = 0.0;
    if (!predicted.empty()) {
        const auto spread = [](const std::vector<LogPair>& pairs) {
            const auto [low, high] = std::minmax_element(
                pairs.begin(), pairs.end(), [](const LogPair& a, const LogPair& b) {
                    return a.y < b.y;
                });
            return std::exp(high->y - low->y);
        };
        const auto [low, high] = std::minmax_element(
            predicted.begin(), predicted.end(), [](const LogPair& a, const LogPair& b) {
                return a.y - a.x < b.y - b.x;
            });
        least = std::exp(low->y - low->x);
        largest = std::exp(high->y - high->x);
        range = spread(predicted);
        in_range = spread(logarithms(rows, "predicted", "in_distribution"));
    }
    return {name,
            static_cast<std::int64_t>(predicted.size()),
            correlation(predicted),
            least,
            largest,
            correlation(logarithms(rows, "lambda_min", "ood")),
            correlation(logarithms(rows, "in_distribution", "ood")),
            in_range,
            range};
}

Table prediction_table(const std::vector<Row>& rows) {
    Table table;
    table.columns = {
        {"violation", Alignment::left},
        {"rows"},
        {"log-correlation with the prediction", Alignment::right, {NumberFormat::Style::fixed, 4}},
        {"least measured/predicted", Alignment::right, kThree},
        {"largest", Alignment::right, kThree},
        {"log-correlation with λ_min", Alignment::right, kThree},
        {"with the error on the same distribution", Alignment::right, kThree},
        {"max/min on the same distribution", Alignment::right, kThree},
        {"max/min elsewhere", Alignment::right, kThree}};
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
    panel.title = title_of(violation);
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
           to_terminal(main_table(rows)) + "\n" + to_terminal(prediction_table(rows));
}

std::vector<std::filesystem::path> derive_robustness(const std::vector<Row>& rows,
                                                     const std::filesystem::path& folder) {
    std::filesystem::create_directories(folder / "figures");
    std::vector<std::filesystem::path> files;
    write_table(main_table(rows), folder / "tables" / "robustness", files);
    write_table(prediction_table(rows), folder / "tables" / "robustness_prediction", files);
    Figure figure;
    figure.title = "Errors by degrees of identifiability; elsewhere = standard normal entries";
    figure.columns = 2;
    figure.panel_width = 560;
    figure.panel_height = 400;
    figure.legend = Legend::below;
    for (const auto& [violation, name] : kViolations) {
        figure.panels.push_back(degree_panel(rows, name));
    }
    const std::filesystem::path svg = folder / "figures" / "robustness.svg";
    write_figure(figure, svg);
    files.push_back(svg);
    return files;
}

}  // namespace attest

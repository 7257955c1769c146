#include "bench/experiments/certificates/sample_complexity_report.hpp"

#include "bench/experiments/frame/group_table.hpp"
#include "bench/experiments/frame/power_law.hpp"
#include "record/cells.hpp"
#include "record/figure/series.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <utility>

namespace attest {

namespace {

/// Past this multiple of ψ the slopes are fitted.
constexpr double kAsymptotic = 16.0;

/// The collapse is drawn from here on; closer to ψ the mean is ruled by rare draws.
constexpr double kCollapse = 2.0;

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

struct SampleLabels {
    std::string labels;
    std::string title;
};

const std::array<SampleLabels, 3> kSettings{{{"noise", "planted layer and noise"},
                                             {"softmax", "softmax head"},
                                             {"token_cubic", "random cubic function"}}};

bool measured(const Row& row) {
    return row.status == RowStatus::ok && row.metrics.at("excess").value > 0.0;
}

Table excess_table(const std::vector<Row>& rows) {
    std::vector<GroupColumn> columns;
    const auto add = [&](const char* header, const char* metric) {
        columns.push_back({metric, kThreeDigits, header, Statistic::mean});
        columns.push_back({metric, kThreeDigits, "± standard error", Statistic::standard_error});
    };
    add("excess risk", "excess");
    add("N·excess/d⁴", "n_excess_over_d4");
    add("N·excess/(ψ·floor)", "inflation");
    return group_table(
        rows, {"labels", {"d", "d"}, {"n_over_psi", "N/ψ"}, {"num_examples", "N"}}, columns);
}

/// Exponents of N, one for each repetition: excess from 16ψ on.
Summary slope_in_n(const std::vector<Row>& rows) {
    std::map<Index, std::array<std::vector<double>, 2>> curves;
    for (const Row& row : rows) {
        if (measured(row) && number_field(row, "n_over_psi") >= kAsymptotic) {
            curves[row.key.repetition][0].push_back(number_field(row, "num_examples"));
            curves[row.key.repetition][1].push_back(row.metrics.at("excess").value);
        }
    }
    std::vector<double> exponents;
    for (const auto& [repetition, curve] : curves) {
        if (curve[0].size() >= 2) {
            exponents.push_back(fit_power_law(curve[0], curve[1]).exponent);
        }
    }
    return summarise(exponents);
}

/// Exponent of N in the excess over repetitions: its mean or the mean's standard error.
Cell slope_cell(const std::vector<Row>& rows, Statistic statistic) {
    return computed_cell(rows, "exponent of N in excess", [statistic](const auto& mine) {
        const Summary slope = slope_in_n(mine);
        return slope.count > (statistic == Statistic::mean ? 0 : 1) ? statistic_of(slope, statistic)
                                                                    : kNoNumber;
    });
}

/// Exponent of d of the mean over repetitions of N·excess/d⁴, at the largest N/ψ.
double slope_in_d(const std::vector<Row>& rows) {
    double largest = 0.0;
    for (const Row& row : rows) {
        largest = std::max(largest, number_field(row, "n_over_psi"));
    }
    std::vector<double> d;
    std::vector<double> values;
    for (const RowGroup& group : group_rows(rows, {"d", "n_over_psi"}, "n_excess_over_d4")) {
        if (group.summary.count > 0 && std::get<double>(group.keys[1]) >= largest) {
            d.push_back(static_cast<double>(std::get<std::int64_t>(group.keys[0])));
            values.push_back(group.summary.mean);
        }
    }
    return d.size() >= 2 ? fit_power_law(d, values).exponent : kNoNumber;
}

Table slope_table(const std::vector<Row>& rows) {
    Table table;
    table.columns = {{"labels", Alignment::left},
                     {"d"},
                     {"exponent of N", Alignment::right, kThreeDigits},
                     {"± standard error", Alignment::right, kThreeDigits},
                     {"N·excess/d⁴ at the largest N", Alignment::right, kThreeDigits},
                     {"its limit", Alignment::right, kThreeDigits},
                     {"limit/(ψ·floor)", Alignment::right, kThreeDigits},
                     {"exponent of d in N·excess/d⁴", Alignment::right, kThreeDigits}};
    for (const SampleLabels& setting : kSettings) {
        const std::vector<Row> mine = select_rows(rows, "labels", setting.labels);
        if (mine.empty()) {
            continue;
        }
        Cell in_d = computed_cell(mine, "exponent of d in N·excess/d⁴", slope_in_d);
        for (const RowGroup& group : group_rows(mine, {"d"}, "limit_over_d4")) {
            const std::vector<Row> of_d = select_rows(mine, "d", to_string(group.keys[0]));
            const auto mean = [](const RowGroup& one) { return cell_of(one, Statistic::mean); };
            table.rows.push_back({setting.labels,
                                  key_cell(group, 0),
                                  slope_cell(of_d, Statistic::mean),
                                  slope_cell(of_d, Statistic::standard_error),
                                  mean(group_rows(of_d, {"n_over_psi"}, "n_excess_over_d4").back()),
                                  mean(group),
                                  mean(group_rows(of_d, {"d"}, "limit_inflation").front()),
                                  std::exchange(in_d, Cell())});
        }
    }
    return table;
}

Panel panel_of(const std::vector<Row>& rows,
               const SampleLabels& setting,
               const SeriesChoice& choice,
               const Axis& x,
               const Axis& y) {
    Panel panel;
    panel.title = setting.title;
    panel.x = x;
    panel.y = y;
    panel.legend = Legend::none;
    panel.series = series_from_rows(select_rows(rows, "labels", setting.labels), choice);
    for (Series& series : panel.series) {
        series.name = "d = " + series.name;
    }
    return panel;
}

Figure sample_figure(const std::vector<Row>& rows) {
    Figure figure;
    figure.title = "Theorem 2.2: excess risk over the best layer";
    figure.columns = 3;
    figure.panel_width = 480;
    figure.panel_height = 380;
    figure.legend = Legend::below;
    for (const SampleLabels& setting : kSettings) {
        figure.panels.push_back(panel_of(rows,
                                         setting,
                                         {"num_examples", "excess", {"d"}},
                                         {"sequences N", Scale::log10},
                                         {"excess risk", Scale::log10}));
    }
    std::vector<Row> beyond = rows;
    beyond.erase(
        std::remove_if(beyond.begin(),
                       beyond.end(),
                       [](const Row& row) { return number_field(row, "n_over_psi") < kCollapse; }),
        beyond.end());
    for (const SampleLabels& setting : kSettings) {
        figure.panels.push_back(panel_of(beyond,
                                         setting,
                                         {"n_over_psi", "n_excess_over_d4", {"d"}},
                                         {"N/ψ", Scale::log10},
                                         {"N · excess / d⁴", Scale::log10}));
    }
    return figure;
}

}  // namespace

std::string sample_complexity_text(const std::vector<Row>& rows) {
    return "Excess risk for N → ∞, by labels and token dimension\n" +
           to_terminal(slope_table(rows));
}

Derived sample_complexity_derived(const std::vector<Row>& rows) {
    return {{{"sample_complexity", excess_table(rows)},
             {"sample_complexity_slopes", slope_table(rows)}},
            {{"sample_complexity", sample_figure(rows)}}};
}

}  // namespace attest

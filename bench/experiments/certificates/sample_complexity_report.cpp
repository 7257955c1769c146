#include "bench/experiments/frame/power_law.hpp"
#include "bench/experiments/frame/report_files.hpp"
#include "bench/experiments/certificates/sample_complexity.hpp"
#include "record/figure/figure.hpp"
#include "record/figure/series.hpp"
#include "record/summary.hpp"
#include "record/table.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace attest {

namespace {

constexpr NumberFormat kThree{NumberFormat::Style::significant, 3};

/// Past this multiple of ψ the slopes are fitted.
constexpr double kAsymptotic = 16.0;

/// The collapse is drawn from here on; closer to ψ the mean is ruled by rare draws.
constexpr double kCollapse = 2.0;

struct Setting {
    std::string labels;
    std::string title;
};

const std::array<Setting, 3> kSettings{{{"noise", "planted layer and noise"},
                                        {"softmax", "softmax head"},
                                        {"token_cubic", "random cubic function"}}};

bool measured(const Row& row) {
    return row.status == RowStatus::ok && row.metrics.at("excess").value > 0.0;
}

Table main_table(const std::vector<Row>& rows) {
    Table table;
    const std::vector<std::string> fields{"labels", "d", "n_over_psi", "num_examples"};
    table.columns = {{"labels", Alignment::left}, {"d"}, {"N/ψ"}, {"N"}};
    const std::array<std::array<std::string, 2>, 3> metrics{{{"excess risk", "excess"},
                                                             {"N·excess/d⁴", "n_excess_over_d4"},
                                                             {"N·excess/(ψ·floor)", "inflation"}}};
    for (const auto& [header, metric] : metrics) {
        table.columns.push_back({header, Alignment::right, kThree});
        table.columns.push_back({"± standard error", Alignment::right, kThree});
        const std::vector<RowGroup> groups = group_rows(rows, fields, metric);
        for (std::size_t g = 0; g < groups.size(); ++g) {
            if (metric == "excess") {
                table.rows.push_back({to_string(groups[g].keys[0]),
                                      std::get<std::int64_t>(groups[g].keys[1]),
                                      std::get<double>(groups[g].keys[2]),
                                      std::get<std::int64_t>(groups[g].keys[3])});
            }
            const Summary& summary = groups[g].summary;
            table.rows[g].push_back(summary.count > 0 ? Cell(summary.mean) : Cell());
            table.rows[g].push_back(summary.count > 1 ? Cell(summary.standard_error) : Cell());
        }
    }
    return table;
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

/// Exponent of d of the mean over repetitions of N·metric, at the largest N/ψ.
Cell slope_in_d(const std::vector<Row>& rows, const std::string& metric) {
    double largest = 0.0;
    for (const Row& row : rows) {
        largest = std::max(largest, number_field(row, "n_over_psi"));
    }
    std::vector<double> d;
    std::vector<double> values;
    for (const RowGroup& group : group_rows(rows, {"d", "n_over_psi"}, metric)) {
        if (group.summary.count > 0 && std::get<double>(group.keys[1]) >= largest) {
            d.push_back(static_cast<double>(std::get<std::int64_t>(group.keys[0])));
            values.push_back(group.summary.mean);
        }
    }
    return d.size() >= 2 ? Cell(fit_power_law(d, values).exponent) : Cell();
}

Table slope_table(const std::vector<Row>& rows) {
    Table table;
    table.columns = {{"labels", Alignment::left},
                     {"d"},
                     {"exponent of N", Alignment::right, kThree},
                     {"± standard error", Alignment::right, kThree},
                     {"N·excess/d⁴ at the largest N", Alignment::right, kThree},
                     {"its limit", Alignment::right, kThree},
                     {"limit/(ψ·floor)", Alignment::right, kThree},
                     {"exponent of d in N·excess/d⁴", Alignment::right, kThree}};
    for (const Setting& setting : kSettings) {
        const std::vector<Row> mine = select_rows(rows, "labels", setting.labels);
        Cell in_d = slope_in_d(mine, "n_excess_over_d4");
        for (const RowGroup& group : group_rows(mine, {"d"}, "limit_over_d4")) {
            const std::vector<Row> of_d = select_rows(mine, "d", to_string(group.keys[0]));
            const Summary slope = slope_in_n(of_d);
            table.rows.push_back(
                {setting.labels,
                 std::get<std::int64_t>(group.keys[0]),
                 slope.count > 0 ? Cell(slope.mean) : Cell(),
                 slope.count > 1 ? Cell(slope.standard_error) : Cell(),
                 group_rows(of_d, {"n_over_psi"}, "n_excess_over_d4").back().summary.mean,
                 group.summary.mean,
                 group_rows(of_d, {"d"}, "limit_inflation").front().summary.mean,
                 std::exchange(in_d, Cell())});
        }
    }
    return table;
}

Panel panel_of(const std::vector<Row>& rows,
               const Setting& setting,
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
    for (const Setting& setting : kSettings) {
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
    for (const Setting& setting : kSettings) {
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

std::vector<std::filesystem::path> derive_sample_complexity(const std::vector<Row>& rows,
                                                            const std::filesystem::path& folder) {
    std::filesystem::create_directories(folder / "figures");
    std::vector<std::filesystem::path> files;
    write_table(main_table(rows), folder / "tables" / "sample_complexity", files);
    write_table(slope_table(rows), folder / "tables" / "sample_complexity_slopes", files);
    const std::filesystem::path svg = folder / "figures" / "sample_complexity.svg";
    write_figure(sample_figure(rows), svg);
    files.push_back(svg);
    return files;
}

}  // namespace attest

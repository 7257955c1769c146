#include "bench/experiments/solvers/scaling_report.hpp"

#include "bench/experiments/frame/group_table.hpp"
#include "bench/experiments/solvers/scaling_sweeps.hpp"
#include "core/base/text.hpp"
#include "core/features/cubic.hpp"
#include "record/cells.hpp"

#include <cmath>

namespace attest {

namespace {

/// What the normal equations cost at N = 2ψ: the structured Gram N ψ²/2, Cholesky ψ³/3; and the
/// quarter of ψ² doubles that the Gram's distinct entries are.
double dense_flops(double psi) {
    return psi * psi * psi * (1.0 + 1.0 / 3.0);
}

double dense_bytes(double psi) {
    return 2.0 * psi * psi;
}

/// Beyond the measured sizes: flops of the normal equations at the rate of the largest one.
std::vector<Solved> extrapolated(const Sweep& dimension) {
    std::vector<Solved> beyond;
    if (dimension.points.size() < kFewestForALaw) {
        return beyond;
    }
    const Solved& last = dimension.points.back();
    for (const Index d : {64, 768, 12288}) {
        const auto psi = static_cast<double>(feature_dim(d));
        beyond.push_back({{d, last.size.n, kScalingRatio * feature_dim(d)},
                          dense_flops(psi) * last.seconds / last.flops,
                          dense_flops(psi),
                          dense_bytes(psi),
                          last.row});
    }
    return beyond;
}

std::vector<Cell> measured_line(const Solved& point) {
    const Row& row = point.row;
    return {setting_cell(row, "d"),
            whole(metric_cell(row, "psi")),
            setting_cell(row, "num_examples"),
            setting_cell(row, "n"),
            metric_cell(row, "cpu_seconds"),
            metric_cell(row, "flops"),
            computed_cell({row},
                          "flops / cpu_seconds / 10⁹",
                          [](const std::vector<Row>& rows) {
                              const Metrics& metrics = rows.front().metrics;
                              return metrics.at("flops").value / metrics.at("cpu_seconds").value /
                                     1e9;
                          }),
            metric_cell(row, "bytes"),
            computed_cell({row},
                          "num_examples · d⁴",
                          [](const std::vector<Row>& rows) {
                              return number_field(rows.front(), "num_examples") *
                                     std::pow(number_field(rows.front(), "d"), 4.0);
                          }),
            row.message};
}

/// Of the numbers only the time and the rate come from a row, the largest size's.
std::vector<Cell> extrapolated_line(const Solved& point) {
    const auto [d, n, N] = point.size;
    const auto extrapolated = [&](const char* what, double number) {
        return computed_cell({point.row}, what, [number](const auto&) { return number; });
    };
    const auto seconds = [flops = point.flops](const std::vector<Row>& rows) {
        const Metrics& metrics = rows.front().metrics;
        return flops * metrics.at("cpu_seconds").value / metrics.at("flops").value;
    };
    return {std::to_string(d),
            std::to_string(feature_dim(d)),
            std::to_string(N),
            std::to_string(n),
            computed_cell({point.row}, "seconds at the rate of this row", seconds),
            extrapolated("flops of the normal equations", point.flops),
            computed_cell(
                {point.row},
                "the rate of this row",
                [=](const std::vector<Row>& rows) { return point.flops / seconds(rows) / 1e9; }),
            extrapolated("bytes of the normal equations", point.bytes),
            extrapolated("N d^4", static_cast<double>(N) * std::pow(static_cast<double>(d), 4.0)),
            std::string("extrapolated")};
}

Table scaling_table(const std::vector<Solved>& points) {
    Table table;
    table.columns = {{"d"},
                     {"psi"},
                     {"N"},
                     {"n"},
                     {"CPU s", Alignment::right, kThreeDigits},
                     {"flops", Alignment::right, kThreeDigits},
                     {"Gflop/s", Alignment::right, kThreeDigits},
                     {"bytes", Alignment::right, kThreeDigits},
                     {"N d^4", Alignment::right, kThreeDigits},
                     {"solver", Alignment::left}};
    for (const Solved& point : points) {
        table.rows.push_back(measured_line(point));
    }
    for (const Solved& point : extrapolated(sweeps(points)[0])) {
        table.rows.push_back(extrapolated_line(point));
    }
    return table;
}

std::string laws_in_words(const std::vector<Solved>& points) {
    std::string text;
    for (const Sweep& sweep : sweeps(points)) {
        if (sweep.points.size() >= kFewestForALaw) {
            const PowerLaw law = law_of(sweep);
            text += formatted("CPU seconds grow with the power {} of the {} from {} to {}\n",
                              format_number(law.exponent, {NumberFormat::Style::fixed, 2}),
                              sweep.name,
                              law.first,
                              sweep.at(sweep.points.size() - 1));
        }
    }
    return text.empty() ? text : text + "With N = 2 psi the flops grow like d^9, N d^4 like d^7.\n";
}

Series points_of(const Sweep& sweep) {
    Series series{"measured"};
    for (std::size_t i = 0; i < sweep.points.size(); ++i) {
        const double seconds = sweep.points[i].seconds;
        series.points.push_back({sweep.at(i), seconds, seconds, seconds});
    }
    return series;
}

Panel scaling_panel(const Sweep& sweep) {
    Panel panel;
    panel.x = {sweep.name, Scale::log10};
    panel.y = {"CPU seconds", Scale::log10};
    panel.legend = Legend::top_left;
    if (sweep.points.size() >= kFewestForALaw) {
        const PowerLaw law = law_of(sweep);
        panel.title =
            formatted("power {}", format_number(law.exponent, {NumberFormat::Style::fixed, 2}));
        const double last = sweep.at(sweep.points.size() - 1);
        Series fitted{"power law"};
        fitted.style = SeriesStyle::line;
        for (const double x : {law.first, last, 2.0 * last}) {
            fitted.points.push_back({x, law.at(x), law.at(x), law.at(x)});
        }
        panel.series.push_back(fitted);
    }
    panel.series.push_back(points_of(sweep));
    return panel;
}

Figure scaling_figure(const std::vector<Solved>& points) {
    Figure figure;
    figure.title = "What a full solve costs, one thread";
    figure.columns = 3;
    figure.panel_width = 400;
    figure.panel_height = 380;
    for (const Sweep& sweep : sweeps(points)) {
        if (!sweep.points.empty()) {
            figure.panels.push_back(scaling_panel(sweep));
        }
    }
    return figure;
}

}  // namespace

std::string scaling_text(const std::vector<Row>& rows) {
    const std::vector<Solved> points = solved_sizes(rows);
    return to_terminal(scaling_table(points)) + laws_in_words(points) + "\n";
}

Derived scaling_derived(const std::vector<Row>& rows) {
    const std::vector<Solved> points = solved_sizes(rows);
    return {{{"scaling", scaling_table(points)}}, {{"scaling", scaling_figure(points)}}};
}

}  // namespace attest

#include "bench/experiments/report_files.hpp"
#include "bench/experiments/scaling.hpp"
#include "core/base/text.hpp"
#include "core/features/cubic.hpp"
#include "core/record/figure.hpp"

#include <algorithm>
#include <cmath>

namespace attest {

namespace {

struct Solved {
    double d;
    double seconds;
    double flops;
    double bytes;
    std::string solver;
};

std::vector<Solved> solved_sizes(const std::vector<Row>& rows) {
    std::vector<Solved> points;
    for (const Row& row : rows) {
        if (row.status == RowStatus::ok) {
            points.push_back(
                {static_cast<double>(std::get<std::int64_t>(row.key.parameters.at("d"))),
                 row.metrics.at("cpu_seconds").value,
                 row.metrics.at("flops").value,
                 row.metrics.at("bytes").value,
                 row.message});
        }
    }
    return points;
}

/// seconds ≈ c·d^exponent through the larger half of the sizes, by least squares of logarithms.
struct PowerLaw {
    double exponent = 0.0;
    double log_constant = 0.0;

    [[nodiscard]] double at(double d) const {
        return std::exp(log_constant + exponent * std::log(d));
    }
};

PowerLaw fit_power_law(const std::vector<Solved>& points) {
    const std::size_t first = points.size() / 2;
    double count = 0.0;
    double x = 0.0;
    double y = 0.0;
    double xx = 0.0;
    double xy = 0.0;
    for (std::size_t i = first; i < points.size(); ++i) {
        const double u = std::log(points[i].d);
        const double v = std::log(points[i].seconds);
        count += 1.0;
        x += u;
        y += v;
        xx += u * u;
        xy += u * v;
    }
    const double exponent = (count * xy - x * y) / (count * xx - x * x);
    return {exponent, (y - exponent * x) / count};
}

/// What the normal equations cost at N = 2ψ: the structured Gram N ψ²/2, Cholesky ψ³/3; and the
/// quarter of ψ² doubles that the Gram's distinct entries are.
double dense_flops(double psi) {
    return psi * psi * psi * (1.0 + 1.0 / 3.0);
}

double dense_bytes(double psi) {
    return 2.0 * psi * psi;
}

Table scaling_table(const std::vector<Solved>& points) {
    const NumberFormat three{NumberFormat::Style::significant, 3};
    Table table;
    table.columns = {{"d"},
                     {"psi"},
                     {"N"},
                     {"CPU s", Alignment::right, three},
                     {"flops", Alignment::right, three},
                     {"Gflop/s", Alignment::right, three},
                     {"bytes", Alignment::right, three},
                     {"N d^4", Alignment::right, three},
                     {"solver", Alignment::left}};
    const auto add =
        [&](double d, double seconds, double flops, double bytes, const std::string& by) {
            const auto psi = static_cast<double>(feature_dim(static_cast<Index>(d)));
            table.rows.push_back({static_cast<std::int64_t>(d),
                                  static_cast<std::int64_t>(psi),
                                  static_cast<std::int64_t>(2.0 * psi),
                                  seconds,
                                  flops,
                                  flops / seconds / 1e9,
                                  bytes,
                                  2.0 * psi * std::pow(d, 4.0),
                                  by});
        };
    for (const Solved& point : points) {
        add(point.d, point.seconds, point.flops, point.bytes, point.solver);
    }
    if (points.size() < 4) {
        return table;
    }
    // Beyond the measured sizes: flops of the normal equations at the rate of the largest one.
    const double rate = points.back().flops / points.back().seconds;
    for (const double d : {32.0, 64.0, 768.0, 12288.0}) {
        const auto psi = static_cast<double>(feature_dim(static_cast<Index>(d)));
        add(d, dense_flops(psi) / rate, dense_flops(psi), dense_bytes(psi), "extrapolated");
    }
    return table;
}

std::string law_in_words(const std::vector<Solved>& points) {
    if (points.size() < 4) {
        return "";
    }
    const PowerLaw law = fit_power_law(points);
    const double largest = points.back().d;
    return concat("CPU seconds grow like d^",
                  format_number(law.exponent, {NumberFormat::Style::fixed, 2}),
                  " over d = ",
                  points[points.size() / 2].d,
                  " to ",
                  largest,
                  " (the flops like d^9; N d^4 with N = 2 psi like d^7)\n");
}

Figure scaling_figure(const std::vector<Solved>& points) {
    Figure figure;
    figure.title = "What a full solve costs at N = 2ψ, one thread";
    Panel panel;
    panel.x = {"token dimension d", Scale::log10};
    panel.y = {"CPU seconds", Scale::log10};
    Series measured{"measured"};
    for (const Solved& point : points) {
        measured.points.push_back({point.d, point.seconds, point.seconds, point.seconds});
    }
    panel.series = {measured};
    if (points.size() >= 4) {
        const PowerLaw law = fit_power_law(points);
        Series fitted{concat("d^", format_number(law.exponent, {NumberFormat::Style::fixed, 1}))};
        for (const double d :
             {points[points.size() / 2].d, points.back().d, 2.0 * points.back().d}) {
            fitted.points.push_back({d, law.at(d), law.at(d), law.at(d)});
        }
        panel.series.push_back(fitted);
    }
    figure.panels = {panel};
    return figure;
}

}  // namespace

std::string scaling_text(const std::vector<Row>& rows) {
    const std::vector<Solved> points = solved_sizes(rows);
    return to_terminal(scaling_table(points)) + law_in_words(points) + "\n";
}

std::vector<std::filesystem::path> derive_scaling(const std::vector<Row>& rows,
                                                  const std::filesystem::path& folder) {
    const std::vector<Solved> points = solved_sizes(rows);
    std::vector<std::filesystem::path> files;
    write_table(scaling_table(points), folder / "tables" / "scaling", files);
    std::filesystem::create_directories(folder / "figures");
    const std::filesystem::path svg = folder / "figures" / "scaling.svg";
    write_figure(scaling_figure(points), svg);
    files.push_back(svg);
    return files;
}

}  // namespace attest

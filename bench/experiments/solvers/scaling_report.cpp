#include "bench/experiments/frame/power_law.hpp"
#include "bench/experiments/frame/report_files.hpp"
#include "bench/experiments/solvers/scaling.hpp"
#include "core/base/text.hpp"
#include "core/features/cubic.hpp"
#include "record/figure/figure.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace attest {

namespace {

struct Solved {
    ScalingSize size;
    double seconds;
    double flops;
    double bytes;
    std::string solver;
};

std::vector<Solved> solved_sizes(const std::vector<Row>& rows) {
    const auto parameter = [](const Row& row, const char* name) {
        return static_cast<Index>(std::get<std::int64_t>(row.key.parameters.at(name)));
    };
    std::vector<Solved> points;
    for (const Row& row : rows) {
        if (row.status == RowStatus::ok) {
            points.push_back(
                {{parameter(row, "d"), parameter(row, "n"), parameter(row, "num_examples")},
                 row.metrics.at("cpu_seconds").value,
                 row.metrics.at("flops").value,
                 row.metrics.at("bytes").value,
                 row.message});
        }
    }
    return points;
}

/// One of the three studies: what grows, and the problems that differ in that alone.
struct Sweep {
    std::string name;
    Index ScalingSize::*variable;
    std::vector<Solved> points;

    [[nodiscard]] double at(std::size_t i) const {
        return static_cast<double>(points[i].size.*variable);
    }
};

/// The dimension at which N and n grow: that of the longest sequences.
Index fixed_dimension(const std::vector<Solved>& points) {
    const auto longest =
        std::max_element(points.begin(), points.end(), [](const Solved& a, const Solved& b) {
            return a.size.n < b.size.n;
        });
    return longest == points.end() ? 0 : longest->size.d;
}

std::array<Sweep, 3> sweeps(const std::vector<Solved>& points) {
    std::array<Sweep, 3> studies{{{"token dimension d", &ScalingSize::d, {}},
                                  {"number of sequences N", &ScalingSize::num_examples, {}},
                                  {"tokens a sequence n", &ScalingSize::n, {}}}};
    const Index d = fixed_dimension(points);
    for (const Solved& point : points) {
        const bool few = point.size.num_examples <= kScalingRatio * feature_dim(point.size.d);
        const bool brief = point.size.n <= kScalingTokens;
        if (few && brief) {
            studies[0].points.push_back(point);
        }
        if (point.size.d == d && brief) {
            studies[1].points.push_back(point);
        }
        if (point.size.d == d && few) {
            studies[2].points.push_back(point);
        }
    }
    for (Sweep& sweep : studies) {
        std::sort(sweep.points.begin(), sweep.points.end(), [&](const Solved& a, const Solved& b) {
            return a.size.*sweep.variable < b.size.*sweep.variable;
        });
    }
    return studies;
}

constexpr std::size_t kFewestForALaw = 4;

/// Through the larger half of the sizes: small ones are all overhead.
PowerLaw law_of(const Sweep& sweep) {
    std::vector<double> sizes;
    std::vector<double> seconds;
    for (std::size_t i = sweep.points.size() / 2; i < sweep.points.size(); ++i) {
        sizes.push_back(sweep.at(i));
        seconds.push_back(sweep.points[i].seconds);
    }
    return fit_power_law(sizes, seconds);
}

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
                          "extrapolated"});
    }
    return beyond;
}

Table scaling_table(const std::vector<Solved>& points) {
    const NumberFormat three{NumberFormat::Style::significant, 3};
    Table table;
    table.columns = {{"d"},
                     {"psi"},
                     {"N"},
                     {"n"},
                     {"CPU s", Alignment::right, three},
                     {"flops", Alignment::right, three},
                     {"Gflop/s", Alignment::right, three},
                     {"bytes", Alignment::right, three},
                     {"N d^4", Alignment::right, three},
                     {"solver", Alignment::left}};
    std::vector<Solved> all = points;
    const std::vector<Solved> beyond = extrapolated(sweeps(points)[0]);
    all.insert(all.end(), beyond.begin(), beyond.end());
    for (const Solved& point : all) {
        const auto [d, n, N] = point.size;
        table.rows.push_back({std::int64_t{d},
                              std::int64_t{feature_dim(d)},
                              std::int64_t{N},
                              std::int64_t{n},
                              point.seconds,
                              point.flops,
                              point.flops / point.seconds / 1e9,
                              point.bytes,
                              static_cast<double>(N) * std::pow(static_cast<double>(d), 4.0),
                              point.solver});
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

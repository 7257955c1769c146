#include "bench/experiments/solvers/scaling.hpp"

#include "bench/experiments/entries.hpp"
#include "bench/experiments/frame/group_table.hpp"
#include "core/base/text.hpp"
#include "core/base/timer.hpp"
#include "core/features/coefficients.hpp"
#include "core/features/cubic.hpp"
#include "core/solve/solvers.hpp"
#include "record/cells.hpp"
#include "tasks/registry.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

namespace attest {

// What a full solve costs on one thread as d grows, as N grows and as n grows; and what the fitted
// law of d says of sizes that no machine at hand can reach.

namespace {

CaseOutcome solve_at(const ScalingSize& size, std::uint64_t seed) {
    const auto task =
        make_task("random-linear-attention",
                  {{"d", std::to_string(size.d)}, {"n", std::to_string(size.n)}, {"heads", "2"}},
                  seed);
    const Dataset data = materialise(*task, 0, size.num_examples, 1);
    const DatasetSource source(data);
    // Small problems are solved several times, so that the clock sees them.
    double cpu = 0.0;
    int solves = 0;
    LeastSquaresFit fit;
    const Timer timer;
    do {
        fit = fit_least_squares(source, "auto", {});
        ++solves;
        cpu = timer.cpu_seconds();
    } while (cpu < 0.2);
    const Matrix truth = coefficients(*data.truth.heads);
    const SolveCost cost = solver_named(fit.solver).cost(source.shape());
    CaseOutcome outcome;
    outcome.message = fit.solver;
    outcome.metrics["psi"] = {static_cast<double>(feature_dim(size.d))};
    outcome.metrics["cpu_seconds"] = {cpu / solves, {}, "s"};
    outcome.metrics["flops"] = {total(cost.flops)};
    outcome.metrics["bytes"] = {cost.bytes, {}, "bytes"};
    outcome.metrics["relative_error"] = {(fit.P - truth).norm() / truth.norm()};
    return outcome;
}

ScalingSize at_ratio(Index d, Index ratio, Index n) {
    return {d, n, ratio * feature_dim(d)};
}

Experiment make_scaling(Profile profile, std::uint64_t seed) {
    Experiment experiment;
    experiment.id = "scaling";
    experiment.profile = profile;
    experiment.seed = seed;
    for (const ScalingSize& size : scaling_sizes(profile)) {
        Case one;
        one.key.task = "random-linear-attention";
        one.key.parameters = {{"d", std::int64_t{size.d}},
                              {"n", std::int64_t{size.n}},
                              {"num_examples", std::int64_t{size.num_examples}}};
        one.key.learner = "auto";
        one.key.seed = seed;
        one.run = [=] { return solve_at(size, seed); };
        experiment.cases.push_back(one);
    }
    return experiment;
}

/// The dimension at which N and n grow: that of the longest sequences.
Index fixed_dimension(const std::vector<Solved>& points) {
    const auto longest =
        std::max_element(points.begin(), points.end(), [](const Solved& a, const Solved& b) {
            return a.size.n < b.size.n;
        });
    return longest == points.end() ? 0 : longest->size.d;
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

std::vector<ScalingSize> scaling_sizes(Profile profile) {
    const bool full = profile == Profile::full;
    const std::vector<Index> dimensions =
        full ? std::vector<Index>{4, 6, 8, 10, 12, 14, 16, 20, 24, 32}
             : std::vector<Index>{4, 6, 8, 10, 12};
    std::vector<ScalingSize> sizes;
    sizes.reserve(dimensions.size() + 9);
    for (const Index d : dimensions) {
        sizes.push_back(at_ratio(d, kScalingRatio, kScalingTokens));
    }
    const Index d = full ? kScalingDimension : kScalingDimension - 4;
    for (const Index ratio : {4, 8, 16, 32}) {
        sizes.push_back(at_ratio(d, ratio, kScalingTokens));
    }
    for (const Index n : {16, 32, 64, 128, 256}) {
        sizes.push_back(at_ratio(d, kScalingRatio, n));
    }
    return sizes;
}

ExperimentEntry scaling() {
    return {
        .id = "scaling",
        .summary = "what a full solve costs as d grows, and what that says of d = 768 and 12 288",
        .quick_seconds = 4.0,
        .full_seconds = 120.0,
        .make = make_scaling,
        .text = scaling_text,
        .derive_numbered = scaling_derived,
        .topic = Topic::solvers,
        .timed = true};
}

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
                 row});
        }
    }
    return points;
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

PowerLaw law_of(const Sweep& sweep) {
    std::vector<double> sizes;
    std::vector<double> seconds;
    for (std::size_t i = sweep.points.size() / 2; i < sweep.points.size(); ++i) {
        sizes.push_back(sweep.at(i));
        seconds.push_back(sweep.points[i].seconds);
    }
    return fit_power_law(sizes, seconds);
}

std::string scaling_text(const std::vector<Row>& rows) {
    const std::vector<Solved> points = solved_sizes(rows);
    return to_terminal(scaling_table(points)) + laws_in_words(points) + "\n";
}

Derived scaling_derived(const std::vector<Row>& rows) {
    const std::vector<Solved> points = solved_sizes(rows);
    return {{{"scaling", scaling_table(points)}}, {{"scaling", scaling_figure(points)}}};
}

}  // namespace attest

#include "bench/experiments/memory/fig2_memory.hpp"
#include "bench/experiments/frame/median_table.hpp"
#include "bench/experiments/frame/report_files.hpp"
#include "record/figure/figure.hpp"
#include "record/summary.hpp"
#include "record/table.hpp"

#include <algorithm>

namespace attest {

namespace {

using Strings = std::vector<std::string>;

const Strings kTeachers{"paper", "random"};
const Strings kLearners{"minimum_norm",
                        "random_erm",
                        "ridge",
                        "gradient_descent",
                        "minimum_norm_noise",
                        "minimum_norm_printed"};

std::vector<Row> of(const std::vector<Row>& rows,
                    const std::string& teacher,
                    const std::string& learner) {
    return select_rows(select_rows(rows, "teacher", teacher), "learner", learner);
}

/// Median of a metric for each number of Gaussian sequences, which decreases.
std::vector<RowGroup> by_mixture(const std::vector<Row>& rows, const std::string& metric) {
    return group_rows(rows, {"num_gaussian"}, metric);
}

/// One line per mixture, one column per learner: medians over seeds of `metric`.
Table pivot(const std::vector<Row>& rows, const std::string& teacher, const std::string& metric) {
    const NumberFormat three{NumberFormat::Style::significant, 3};
    Table table;
    table.columns = {{"Gaussian sequences"}, {"λ_min", Alignment::right, three}, {"rank"}};
    const std::vector<RowGroup> lambda =
        by_mixture(of(rows, teacher, "minimum_norm"), "lambda_min");
    const std::vector<RowGroup> rank = by_mixture(of(rows, teacher, "minimum_norm"), "rank");
    for (std::size_t i = 0; i < lambda.size(); ++i) {
        table.rows.push_back(
            {static_cast<std::int64_t>(to_number(lambda[i].keys[0], "num_gaussian")),
             lambda[i].summary.median,
             static_cast<std::int64_t>(rank[i].summary.median)});
    }
    for (const std::string& learner : kLearners) {
        const std::vector<RowGroup> groups = by_mixture(of(rows, teacher, learner), metric);
        if (groups.size() != table.rows.size()) {
            continue;  // the printed labels exist for the paper's teacher only
        }
        table.columns.push_back({spaced(learner), Alignment::right, three});
        for (std::size_t i = 0; i < groups.size(); ++i) {
            const Summary& summary = groups[i].summary;
            table.rows[i].push_back(summary.count > 0 ? Cell(summary.median) : Cell());
        }
    }
    return table;
}

Table exact_ranks(const std::vector<Row>& rows) {
    Table table;
    table.columns = {{"d"}, {"psi"}, {"unitary"}, {"Gaussian"}, {"rank"}, {"nullity"}, {"proved"}};
    for (const Row& row : select_rows(rows, "learner", "exact_rank")) {
        if (row.status != RowStatus::ok) {
            continue;
        }
        const auto metric = [&](const std::string& name) {
            return static_cast<std::int64_t>(row.metrics.at(name).value);
        };
        table.rows.push_back({metric("d"),
                              metric("psi"),
                              metric("num_unitary"),
                              metric("num_gaussian"),
                              metric("rank"),
                              metric("nullity"),
                              std::string(metric("proved") != 0 ? "yes" : "no")});
    }
    return table;
}

/// The axis all panels share. More Gaussian sequences than this change nothing any more; the tables
/// have them.
constexpr double kLargestCount = 120.0;

/// Medians with the range over seeds as error bar.
Series curve(const std::string& name, const std::vector<RowGroup>& groups) {
    Series series{name};
    for (const RowGroup& group : groups) {
        const double count = to_number(group.keys[0], "num_gaussian");
        if (group.summary.count > 0 && count <= kLargestCount) {
            series.points.push_back(
                {count, group.summary.median, group.summary.min, group.summary.max});
        }
    }
    return series;
}

Panel panel_over_counts(const std::string& title, const std::string& label) {
    Panel panel;
    panel.title = title;
    panel.x = {"Gaussian sequences, all others unitary"};
    panel.y = {label, Scale::log10};
    panel.guides = {{Guide::Direction::vertical, 40.0, ""}};
    panel.legend = Legend::none;
    return panel;
}

/// One curve per learner.
Panel learners_panel(const std::vector<Row>& rows,
                     const std::string& teacher,
                     const std::string& metric,
                     const std::string& title,
                     const std::string& label) {
    Panel panel = panel_over_counts(title, label);
    for (const std::string& learner : kLearners) {
        const Series series =
            curve(spaced(learner), by_mixture(of(rows, teacher, learner), metric));
        if (!series.points.empty()) {
            panel.series.push_back(series);
        }
    }
    return panel;
}

/// λ_min, drawn as 0 where floating point sees a deficiency: what is left there is rounding.
Panel certificate_panel(const std::vector<Row>& rows) {
    Panel panel = panel_over_counts("The certificate", "λ_min(Λ_D), numerical");
    std::vector<Row> mine = of(rows, "paper", "minimum_norm");
    for (Row& row : mine) {
        if (row.status == RowStatus::ok &&
            row.metrics.at("rank").value < row.metrics.at("psi").value) {
            row.metrics["lambda_min"].value = 0.0;
        }
    }
    panel.guides[0].label = "nullity of unitary data";
    panel.series.push_back(curve("λ_min", by_mixture(mine, "lambda_min")));
    return panel;
}

}  // namespace

std::string fig2_text(const std::vector<Row>& rows) {
    std::string text;
    for (const std::string& teacher : kTeachers) {
        text += "Distance ‖p(Θ) − p(Θ̂)‖_F, " + teacher + " teacher, median over seeds\n" +
                to_terminal(pivot(rows, teacher, "distance")) + "\n";
    }
    text += "Out-of-distribution error on Gaussian data (relative), random teacher\n" +
            to_terminal(pivot(rows, "random", "ood_relative")) + "\n";
    text += "Exact rank, rational orthogonal keys\n" + to_terminal(exact_ranks(rows)) + "\n";
    return text;
}

std::vector<std::filesystem::path> derive_fig2(const std::vector<Row>& rows,
                                               const std::filesystem::path& folder) {
    std::filesystem::create_directories(folder / "figures");
    std::vector<std::filesystem::path> files;
    for (const std::string& teacher : kTeachers) {
        write_table(pivot(rows, teacher, "distance"),
                    folder / "tables" / ("fig2_distance_" + teacher),
                    files);
        write_table(pivot(rows, teacher, "ood_relative"),
                    folder / "tables" / ("fig2_ood_" + teacher),
                    files);
    }
    write_table(exact_ranks(rows), folder / "tables" / "fig2_rank", files);
    Figure figure;
    figure.title = "Associative memory: what the data determine, and what learners return";
    figure.columns = 2;
    const std::string distance = "‖p(Θ) − p(Θ̂)‖_F";
    figure.panels = {
        certificate_panel(rows),
        learners_panel(rows, "paper", "distance", "Distance, the paper's teacher", distance),
        learners_panel(rows, "random", "distance", "Distance, a random teacher", distance),
        learners_panel(rows,
                       "random",
                       "ood_relative",
                       "Error on Gaussian data, a random teacher",
                       "relative out-of-distribution error")};
    figure.panels[1].legend = Legend::right;
    figure.panels[3].legend = Legend::right;
    const std::filesystem::path svg = folder / "figures" / "fig2.svg";
    write_figure(figure, svg);
    files.push_back(svg);
    return files;
}

}  // namespace attest

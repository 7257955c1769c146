#include "bench/experiments/memory/fig2_report.hpp"

#include "bench/experiments/frame/group_table.hpp"
#include "record/cells.hpp"

namespace attest {

namespace {

using Names = std::vector<std::string>;

const Names kTeachers{"paper", "random"};

std::vector<Row> rows_of_learner(const std::vector<Row>& rows,
                                 const std::string& teacher,
                                 const std::string& learner) {
    return select_rows(select_rows(rows, "teacher", teacher), "learner", learner);
}

/// Median of a metric for each number of Gaussian sequences, which decreases.
std::vector<RowGroup> groups_by_mixture(const std::vector<Row>& rows, const std::string& metric) {
    return group_rows(rows, {"num_gaussian"}, metric);
}

/// The learners that were run, in the order of their cases.
Names learners_of(const std::vector<Row>& rows, const std::string& teacher) {
    return distinct_values(select_rows(rows, "teacher", teacher), "learner");
}

/// One line per mixture, one column per learner: medians over seeds of `metric`.
Table pivot(const std::vector<Row>& rows, const std::string& teacher, const std::string& metric) {
    std::vector<GroupColumn> columns{
        {"lambda_min", kThreeDigits, "λ_min", Statistic::median, "minimum_norm"},
        {"rank", {}, "rank", Statistic::median, "minimum_norm"}};
    for (const std::string& learner : learners_of(rows, teacher)) {
        columns.push_back({metric, kThreeDigits, spaced(learner), Statistic::median, learner});
    }
    Table table = group_table(
        select_rows(rows, "teacher", teacher), {{"num_gaussian", "Gaussian sequences"}}, columns);
    for (std::vector<Cell>& line : table.rows) {
        line[2] = whole(line[2]);
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
        const auto metric = [&](const std::string& name) { return whole(metric_cell(row, name)); };
        const bool proved = row.metrics.at("proved").value > 0.5;
        table.rows.push_back({metric("d"),
                              metric("psi"),
                              metric("num_unitary"),
                              metric("num_gaussian"),
                              metric("rank"),
                              metric("nullity"),
                              text_cell(proved ? "yes" : "no", {row}, "proved")});
    }
    return table;
}

/// The axis all panels share. More Gaussian sequences than this change nothing any more; the tables
/// have them.
constexpr double kLargestCount = 120.0;

/// Medians with the range over seeds as error bar.
Series mixture_curve(const std::string& name, const std::vector<RowGroup>& groups) {
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
    for (const std::string& learner : learners_of(rows, teacher)) {
        const Series series = mixture_curve(
            spaced(learner), groups_by_mixture(rows_of_learner(rows, teacher, learner), metric));
        if (!series.points.empty()) {
            panel.series.push_back(series);
        }
    }
    return panel;
}

/// λ_min, drawn as 0 where floating point sees a deficiency: what is left there is rounding.
Panel certificate_panel(const std::vector<Row>& rows) {
    Panel panel = panel_over_counts("The certificate", "λ_min(Λ_D), numerical");
    std::vector<Row> mine = rows_of_learner(rows, "paper", "minimum_norm");
    for (Row& row : mine) {
        if (row.status == RowStatus::ok &&
            row.metrics.at("rank").value < row.metrics.at("psi").value) {
            row.metrics["lambda_min"].value = 0.0;
        }
    }
    panel.guides[0].label = "nullity of unitary data";
    panel.series.push_back(mixture_curve("λ_min", groups_by_mixture(mine, "lambda_min")));
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

Derived fig2_derived(const std::vector<Row>& rows) {
    Derived derived;
    for (const std::string& teacher : kTeachers) {
        derived.tables.push_back({"fig2_distance_" + teacher, pivot(rows, teacher, "distance")});
        derived.tables.push_back({"fig2_ood_" + teacher, pivot(rows, teacher, "ood_relative")});
    }
    derived.tables.push_back({"fig2_rank", exact_ranks(rows)});
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
    derived.figures.push_back({"fig2", figure});
    return derived;
}

}  // namespace attest

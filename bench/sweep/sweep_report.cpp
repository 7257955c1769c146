#include "bench/sweep/sweep_report.hpp"

#include "bench/experiments/frame/group_table.hpp"
#include "record/figure/series.hpp"
#include "record/summary.hpp"

#include <algorithm>
#include <utility>

namespace attest {

namespace {

std::vector<KeyColumn> varied_columns(const SweepPlan& plan,
                                      const std::vector<SweepAxis>& learners) {
    std::vector<KeyColumn> columns;
    for (const std::string& name : plan.varied(learners)) {
        columns.emplace_back(name.c_str());
    }
    return columns;
}

Table learned_table(const SweepPlan& plan, const std::vector<Row>& rows) {
    return group_table(select_rows(rows, "learner", "learn"),
                       varied_columns(plan, plan.learn),
                       {{"held_out_relative", kThreeDigits, "cases", Statistic::count},
                        {"num_examples", {}, "N"},
                        {"psi", {}, "ψ"},
                        {"unique", {}, "unique"},
                        {"train_relative", kThreeDigits, "error on the data"},
                        {"held_out_relative", kThreeDigits, "error held out"},
                        {"error_bound", kThreeDigits, "error bound"},
                        {"heads", {}, "heads"},
                        {"seconds", kThreeDigits, "seconds"}});
}

Table certified_table(const SweepPlan& plan, const std::vector<Row>& rows) {
    return group_table(select_rows(rows, "learner", "certify"),
                       varied_columns(plan, plan.certify),
                       {{"rank", {}, "cases", Statistic::count},
                        {"num_examples", {}, "N"},
                        {"psi", {}, "ψ"},
                        {"rank", {}, "rank"},
                        {"nullity", {}, "nullity"},
                        {"determined", kThreeDigits, "share determined", Statistic::mean},
                        {"lambda_min", kThreeDigits, "λ_min, numerical"},
                        {"condition", kThreeDigits, "condition"}});
}

/// "d = 2, noise = 0.1": what rows of one curve share; the task's name where there is but one
/// curve.
std::string name_of_curve(const SweepPlan& plan, const SweepFigure& asked, const Row& row) {
    std::string name;
    for (const std::string& setting : asked.by) {
        const std::optional<ParameterValue> value = field(row, setting);
        name += (name.empty() ? "" : ", ") + spaced(setting) + " = " +
                (value ? to_string(*value) : "none");
    }
    return name.empty() ? plan.task : name;
}

Panel panel_of(const SweepPlan& plan,
               const SweepFigure& asked,
               const std::string& metric,
               const std::vector<Row>& rows) {
    Panel panel;
    panel.x = {spaced(asked.x), asked.x_scale};
    panel.y = {spaced(metric), asked.y_scale};
    panel.legend = Legend::none;
    for (const std::vector<Row>& curve : split_rows(rows, asked.by)) {
        for (Series& series : series_from_rows(curve, {asked.x, metric, {}, Spread::range})) {
            series.name = name_of_curve(plan, asked, curve.front());
            panel.series.push_back(std::move(series));
        }
    }
    return panel;
}

Figure figure_of(const SweepPlan& plan, const SweepFigure& asked, const std::vector<Row>& rows) {
    Figure figure;
    figure.title = plan.summary;
    figure.columns = std::min<Index>(2, static_cast<Index>(asked.metrics.size()));
    figure.panel_width = 600;
    figure.panel_height = 420;
    figure.legend = Legend::below;
    for (const std::string& metric : asked.metrics) {
        figure.panels.push_back(panel_of(plan, asked, metric, rows));
    }
    return figure;
}

}  // namespace

std::string sweep_text(const SweepPlan& plan, const std::vector<Row>& rows) {
    std::string text = "Medians over " + std::to_string(plan.seeds.size()) +
                       (plan.seeds.size() == 1 ? " seed\n" : " seeds\n");
    for (const NamedTable& named : sweep_derived(plan, rows).tables) {
        text += to_terminal(named.table);
    }
    return text;
}

Derived sweep_derived(const SweepPlan& plan, const std::vector<Row>& rows) {
    Derived derived;
    if (!plan.learn.empty()) {
        derived.tables.push_back({plan.name, learned_table(plan, rows)});
    }
    if (!plan.certify.empty()) {
        derived.tables.push_back({plan.name + "_certify", certified_table(plan, rows)});
    }
    if (plan.figure) {
        derived.figures.push_back({plan.name, figure_of(plan, *plan.figure, rows)});
    }
    return derived;
}

}  // namespace attest

#include "bench/experiments/memory/heads_tradeoff_report.hpp"

#include "bench/experiments/frame/group_table.hpp"
#include "record/summary.hpp"

#include <algorithm>
#include <set>

namespace attest {

namespace {

using Families = std::vector<std::string>;

const Families kFamilies{"gaussian", "power_law", "associative", "automaton", "turing"};

std::string title_of_family(const std::string& family) {
    return family == "gaussian"    ? "Gaussian tokens"
           : family == "power_law" ? "power-law tokens"
           : family == "automaton" ? "universal automaton"
           : family == "turing"    ? "universal Turing machine"
                                   : "associative memory";
}

std::string method_title(const std::string& method) {
    return method == "svd"            ? "SVD, cut"
           : method == "refit"        ? "SVD, values refitted"
           : method == "vp_frobenius" ? "fit, Frobenius norm"
                                      : "fit, data norm";
}

std::int64_t whole(const ParameterValue& value) {
    return std::get<std::int64_t>(value);
}

/// The sizes that occur, ascending.
std::set<std::int64_t> token_sizes(const std::vector<Row>& rows) {
    std::set<std::int64_t> found;
    for (const Row& row : rows) {
        found.insert(whole(*field(row, "d")));
    }
    return found;
}

std::vector<Row> rows_of_family(const std::vector<Row>& rows,
                                const std::string& family,
                                std::int64_t d) {
    return select_rows(select_rows(rows, "task", family), "d", std::to_string(d));
}

/// The families that were run at this size.
Families families(const std::vector<Row>& rows, std::int64_t d) {
    Families found;
    for (const std::string& family : kFamilies) {
        if (!rows_of_family(rows, family, d).empty()) {
            found.push_back(family);
        }
    }
    return found;
}

/// Median and range over repetitions of a metric, by number of heads.
std::vector<RowGroup> by_heads(const std::vector<Row>& rows,
                               const std::string& method,
                               const std::string& metric) {
    return group_rows(select_rows(rows, "learner", method), {"heads"}, metric);
}

/// One line per number of heads: relative loss by method, and the best method's error to the truth.
Table loss_table(const std::vector<Row>& rows) {
    std::vector<GroupColumn> columns;
    for (const std::string& method : distinct_values(rows, "learner")) {
        columns.push_back(
            {"relative_loss", kThreeDigits, method_title(method), Statistic::median, method});
    }
    columns.push_back({"error_to_truth",
                       kThreeDigits,
                       "fit, data norm: error to the truth",
                       Statistic::median,
                       "vp_lambda"});
    return group_table(rows, {{"heads", "heads"}}, columns);
}

/// Medians with the range over repetitions; the axis is cut below what is rounding.
Panel tradeoff_panel(const std::vector<Row>& rows, const std::string& family, std::int64_t d) {
    Panel panel;
    panel.title = title_of_family(family) + ", d = " + std::to_string(d);
    panel.x = {"heads"};
    panel.y = {"relative loss, data norm", Scale::log10, 1e-6};
    panel.legend = Legend::none;
    for (const std::string& method : distinct_values(rows, "learner")) {
        Series series{method_title(method)};
        for (const RowGroup& group : by_heads(rows, method, "relative_loss")) {
            const Summary& summary = group.summary;
            if (summary.count > 0 && summary.median >= 1e-6) {
                series.points.push_back({static_cast<double>(whole(group.keys[0])),
                                         summary.median,
                                         std::max(summary.min, 1e-6),
                                         summary.max});
            }
        }
        if (!series.points.empty()) {
            panel.series.push_back(series);
        }
    }
    const Summary noise = group_rows(rows, {"task"}, "noise").front().summary;
    const Summary planted = group_rows(rows, {"task"}, "planted").front().summary;
    panel.guides = {{Guide::Direction::vertical, planted.median, "planted"}};
    if (noise.median > 0.0) {
        panel.guides.push_back({Guide::Direction::horizontal, noise.median, "label noise"});
    }
    return panel;
}

}  // namespace

std::string heads_tradeoff_text(const std::vector<Row>& rows) {
    std::string text;
    for (const std::int64_t d : token_sizes(rows)) {
        for (const std::string& family : families(rows, d)) {
            text += "Relative loss in the data norm, " + title_of_family(family) +
                    ", d = " + std::to_string(d) + ", median over repetitions\n" +
                    to_terminal(loss_table(rows_of_family(rows, family, d))) + "\n";
        }
    }
    return text;
}

Derived heads_tradeoff_derived(const std::vector<Row>& rows) {
    Derived derived;
    Figure figure;
    figure.title = "What fewer heads cost";
    figure.columns = 3;
    figure.panel_width = 520;
    figure.legend = Legend::below;
    for (const std::int64_t d : token_sizes(rows)) {
        for (const std::string& family : families(rows, d)) {
            const std::vector<Row> mine = rows_of_family(rows, family, d);
            derived.tables.push_back(
                {"heads_tradeoff_" + family + "_d" + std::to_string(d), loss_table(mine)});
            figure.panels.push_back(tradeoff_panel(mine, family, d));
        }
    }
    derived.figures.push_back({"heads_tradeoff", figure});
    return derived;
}

}  // namespace attest

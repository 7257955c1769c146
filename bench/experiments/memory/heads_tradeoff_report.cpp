#include "bench/experiments/memory/heads_tradeoff.hpp"
#include "bench/experiments/frame/report_files.hpp"
#include "core/heads/counting.hpp"
#include "record/figure/figure.hpp"
#include "record/summary.hpp"
#include "record/table.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace attest {

namespace {

using Strings = std::vector<std::string>;

const Strings kFamilies{"gaussian", "power_law", "associative", "automaton", "turing"};
const Strings kMethods{"svd", "refit", "vp_frobenius", "vp_lambda"};

std::string title_of(const std::string& family) {
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
std::set<std::int64_t> sizes(const std::vector<Row>& rows) {
    std::set<std::int64_t> found;
    for (const Row& row : rows) {
        found.insert(whole(*field(row, "d")));
    }
    return found;
}

std::vector<Row> of(const std::vector<Row>& rows, const std::string& family, std::int64_t d) {
    return select_rows(select_rows(rows, "task", family), "d", std::to_string(d));
}

/// The families that were run at this size.
Strings families(const std::vector<Row>& rows, std::int64_t d) {
    Strings found;
    for (const std::string& family : kFamilies) {
        if (!of(rows, family, d).empty()) {
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
    const NumberFormat three{NumberFormat::Style::significant, 3};
    std::map<std::int64_t, std::vector<Cell>> lines;
    Table table;
    table.columns = {{"heads"}};
    const auto add = [&](const std::string& header, const std::vector<RowGroup>& groups) {
        table.columns.push_back({header, Alignment::right, three});
        for (const RowGroup& group : groups) {
            std::vector<Cell>& line = lines[whole(group.keys[0])];
            line.resize(table.columns.size() - 2);
            line.push_back(group.summary.count > 0 ? Cell(group.summary.median) : Cell());
        }
    };
    for (const std::string& method : kMethods) {
        add(method_title(method), by_heads(rows, method, "relative_loss"));
    }
    add("fit, data norm: error to the truth", by_heads(rows, "vp_lambda", "error_to_truth"));
    for (auto& [heads, line] : lines) {
        line.resize(table.columns.size() - 1);
        line.insert(line.begin(), Cell(heads));
        table.rows.push_back(line);
    }
    return table;
}

/// Medians with the range over repetitions; the axis is cut below what is rounding.
Panel loss_panel(const std::vector<Row>& rows, const std::string& family, std::int64_t d) {
    Panel panel;
    panel.title = title_of(family) + ", d = " + std::to_string(d);
    panel.x = {"heads"};
    panel.y = {"relative loss, data norm", Scale::log10, 1e-6};
    panel.legend = Legend::none;
    for (const std::string& method : kMethods) {
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
    for (const std::int64_t d : sizes(rows)) {
        for (const std::string& family : families(rows, d)) {
            text += "Relative loss in the data norm, " + title_of(family) +
                    ", d = " + std::to_string(d) + ", median over repetitions\n" +
                    to_terminal(loss_table(of(rows, family, d))) + "\n";
        }
    }
    return text;
}

std::vector<std::filesystem::path> derive_heads_tradeoff(const std::vector<Row>& rows,
                                                         const std::filesystem::path& folder) {
    std::filesystem::create_directories(folder / "tables");
    std::filesystem::create_directories(folder / "figures");
    std::vector<std::filesystem::path> files;
    Figure figure;
    figure.title = "What fewer heads cost";
    figure.columns = 3;
    figure.panel_width = 520;
    figure.legend = Legend::below;
    for (const std::int64_t d : sizes(rows)) {
        for (const std::string& family : families(rows, d)) {
            const std::vector<Row> mine = of(rows, family, d);
            write_table(loss_table(mine),
                        folder / "tables" / ("heads_tradeoff_" + family + "_d" + std::to_string(d)),
                        files);
            figure.panels.push_back(loss_panel(mine, family, d));
        }
    }
    const std::filesystem::path svg = folder / "figures" / "heads_tradeoff.svg";
    write_figure(figure, svg);
    files.push_back(svg);
    return files;
}

}  // namespace attest

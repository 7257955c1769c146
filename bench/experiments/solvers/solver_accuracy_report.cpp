#include "bench/experiments/frame/report_files.hpp"
#include "bench/experiments/solvers/solver_accuracy.hpp"
#include "record/figure/figure.hpp"
#include "record/summary.hpp"
#include "record/table.hpp"
#include "core/solve/solvers.hpp"

#include <algorithm>
#include <array>

namespace attest {

namespace {

constexpr std::array kDegeneracies{"dependent", "unitary"};

/// Drawn: one of each kind; LAPACK's and Eigen's drivers lie on top of tsqr.
constexpr std::array kDrawn{"gram32", "gram64", "kron", "normal", "tsqr", "gelsd"};

std::string shown(const Row& row) {
    if (row.status == RowStatus::refused) {
        return "refused";
    }
    if (row.status != RowStatus::ok) {
        return std::string(to_string(row.status));
    }
    const Metric& error = row.metrics.at("relative_error");
    const std::string text = format_number(error.value, {NumberFormat::Style::scientific, 0});
    return error.value <= error.bound.value_or(0.0) ? text : text + " !";
}

/// Solvers in columns, conditions in rows.
Table accuracy_table(const std::vector<Row>& rows, const std::string& degeneracy) {
    const NumberFormat format{NumberFormat::Style::scientific, 0};
    const std::vector<Row> mine = select_rows(rows, "degeneracy", degeneracy);
    Table table;
    table.columns = {{"aimed at", Alignment::right, format}, {"cond(H)", Alignment::right, format}};
    for (const Solver& solver : solvers()) {
        const std::vector<Row> of_solver = select_rows(mine, "learner", std::string(solver.name));
        if (of_solver.empty()) {
            continue;
        }
        table.columns.push_back({std::string(solver.name)});
        for (std::size_t i = 0; i < of_solver.size(); ++i) {
            if (table.rows.size() == i) {
                table.rows.push_back({std::get<double>(*field(of_solver[i], "condition")),
                                      of_solver[i].metrics.at("condition").value});
            }
            table.rows[i].push_back(shown(of_solver[i]));
        }
    }
    return table;
}

Panel accuracy_panel(const std::vector<Row>& rows, const std::string& degeneracy) {
    Panel panel;
    panel.title = degeneracy == "dependent" ? "A coordinate nearly depends on another"
                                            : "Nearly unitary keys and values";
    panel.x = {"cond(H)", Scale::log10};
    panel.y = {"relative error of P", Scale::log10};
    panel.legend = Legend::none;
    for (const char* name : kDrawn) {
        Series series{name};
        for (const Row& row :
             select_rows(select_rows(rows, "degeneracy", degeneracy), "learner", name)) {
            if (row.status == RowStatus::ok) {
                const double error = row.metrics.at("relative_error").value;
                series.points.push_back({row.metrics.at("condition").value, error, error, error});
            }
        }
        if (!series.points.empty()) {
            panel.series.push_back(series);
        }
    }
    return panel;
}

}  // namespace

std::string solver_accuracy_text(const std::vector<Row>& rows) {
    std::string text;
    for (const char* degeneracy : kDegeneracies) {
        text += std::string("Relative error against 50 digits, ") + degeneracy + " data\n" +
                to_terminal(accuracy_table(rows, degeneracy)) + "\n";
    }
    return text;
}

std::vector<std::filesystem::path> derive_solver_accuracy(const std::vector<Row>& rows,
                                                          const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> files;
    Figure figure;
    figure.title = "Every solver against 50 digits: what is not drawn was refused";
    figure.columns = 2;
    figure.legend = Legend::below;
    for (const char* degeneracy : kDegeneracies) {
        write_table(accuracy_table(rows, degeneracy),
                    folder / "tables" / (std::string("solver_accuracy_") + degeneracy),
                    files);
        figure.panels.push_back(accuracy_panel(rows, degeneracy));
    }
    std::filesystem::create_directories(folder / "figures");
    files.push_back(folder / "figures" / "solver_accuracy.svg");
    write_figure(figure, files.back());
    return files;
}

}  // namespace attest

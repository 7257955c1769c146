#include "bench/experiments/entries.hpp"
#include "core/certify/numerical/spectrum.hpp"
#include "core/solve/solvers.hpp"
#include "record/cells.hpp"
#include "record/figure/figure.hpp"
#include "tasks/conditioned_data.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

namespace attest {

// How accurate is each solver, and does it know? Two kinds of ill-conditioned data (a coordinate
// that nearly depends on another; nearly unitary keys and values) at conditions from 10 to 1e12,
// every solver against the minimiser to 50 digits.
//
// Expected outcome: every answer lies within the error bound that came with it, all others are
// refused. Solvers of whitened tokens do not notice dependent coordinates; none escapes the other
// degeneracy. gram32 refuses first, then normal, then gram64, the orthogonal ones last.

namespace {

/// One data set with its minimiser, made when the first solver asks for it.
class AccuracyProblem {
public:
    AccuracyProblem(Degeneracy degeneracy, ConditionedDataOptions options, Stream stream)
        : degeneracy_(degeneracy), options_(options), stream_(std::move(stream)) {}

    const Dataset& data() {
        if (data_ == nullptr) {
            data_ = std::make_unique<Dataset>(conditioned_data(degeneracy_, options_, stream_));
            const DatasetSource source(*data_);
            exact_ = fit_least_squares(source, "reference", {}).P;
            const NumericalSpectrum spectrum = numerical_spectrum(triangular_factor(source));
            condition_ = std::sqrt(spectrum.lambda_max / spectrum.lambda_min);
        }
        return *data_;
    }

    [[nodiscard]] const Matrix& exact() const { return exact_; }

    [[nodiscard]] double condition() const { return condition_; }

private:
    Degeneracy degeneracy_;
    ConditionedDataOptions options_;
    Stream stream_;
    std::unique_ptr<Dataset> data_;
    Matrix exact_;
    double condition_ = 0.0;
};

CaseOutcome measure(const Solver& solver, AccuracyProblem& problem) {
    const DatasetSource source(problem.data());
    CaseOutcome outcome;
    outcome.metrics["condition"] = {problem.condition()};
    const LeastSquaresFit fit = fit_least_squares(source, solver.name, {});
    if (problem.exact().size() == 0 || fit.status != SolveStatus::unique) {
        outcome.status = RowStatus::refused;
        outcome.message = fit.note.empty() ? "the reference refuses" : fit.note;
        return outcome;
    }
    const double error = (fit.P - problem.exact()).norm() / problem.exact().norm();
    outcome.metrics["relative_error"] = {error, fit.error_bound};
    return outcome;
}

Case accuracy_case(const Solver& solver,
                   Degeneracy degeneracy,
                   const ConditionedDataOptions& options,
                   const Stream& stream,
                   std::uint64_t seed,
                   const std::shared_ptr<AccuracyProblem>& problem) {
    CaseKey key;
    key.task = "conditioned_data";
    key.parameters = {{"degeneracy", std::string(to_string(degeneracy))},
                      {"d", std::int64_t{options.d}},
                      {"num_sequences", std::int64_t{options.num_sequences}},
                      {"condition", options.condition},
                      {"noise", options.noise}};
    key.learner = solver.name;
    key.seed = seed;
    key.stream = stream.path();
    return {key, [&solver, problem] { return measure(solver, *problem); }};
}

/// What answers N > ψ in doubles, and not Algorithm 1's od³ unknowns.
bool takes_part(const Solver& solver) {
    const SolverTraits& traits = solver.traits;
    return traits.ground == SolverGround::any && !traits.beyond_doubles && !traits.as_printed;
}

constexpr std::array kDegeneracies{"dependent", "unitary"};

/// Drawn: one of each kind; LAPACK's and Eigen's drivers lie on top of tsqr.
constexpr std::array kDrawn{"gram32", "gram64", "kron", "normal", "tsqr", "gelsd"};

Cell answer_cell(const Row& row) {
    if (row.status == RowStatus::refused) {
        return std::string("refused");
    }
    if (row.status != RowStatus::ok) {
        return std::string(to_string(row.status));
    }
    const Metric& error = row.metrics.at("relative_error");
    const std::string text = format_number(error.value, {NumberFormat::Style::scientific, 0});
    const bool within = error.value <= error.bound.value_or(0.0);
    return text_cell(within ? text : text + " !", {row}, "relative_error");
}

/// Solvers in columns, conditions in rows.
Table accuracy_table(const std::vector<Row>& rows, const std::string& degeneracy) {
    const NumberFormat format{NumberFormat::Style::scientific, 0};
    const std::vector<Row> mine = select_rows(rows, "degeneracy", degeneracy);
    Table table;
    table.columns = {{"aimed at", Alignment::right, format}, {"cond(H)", Alignment::right, format}};
    for (const std::string& solver : distinct_values(mine, "learner")) {
        const std::vector<Row> of_solver = select_rows(mine, "learner", solver);
        table.columns.push_back({solver});
        for (std::size_t i = 0; i < of_solver.size(); ++i) {
            if (table.rows.size() == i) {
                table.rows.push_back({setting_cell(of_solver[i], "condition"),
                                      metric_cell(of_solver[i], "condition")});
            }
            table.rows[i].push_back(answer_cell(of_solver[i]));
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

Experiment make_solver_accuracy(Profile profile, std::uint64_t seed) {
    const bool quick = profile == Profile::quick;
    Experiment experiment{"solver_accuracy", profile, seed};
    for (const Degeneracy degeneracy : {Degeneracy::dependent, Degeneracy::unitary}) {
        for (int exponent = 1; exponent <= 12; ++exponent) {
            ConditionedDataOptions options{quick ? Index{4} : Index{6}, 2, quick ? 160 : 504};
            options.condition = std::pow(10.0, exponent);
            const Stream stream =
                Stream(seed).child("solver_accuracy").child(to_string(degeneracy)).child(exponent);
            const auto problem = std::make_shared<AccuracyProblem>(degeneracy, options, stream);
            for (const Solver& solver : solvers()) {
                if (takes_part(solver)) {
                    experiment.cases.push_back(
                        accuracy_case(solver, degeneracy, options, stream, seed, problem));
                }
            }
        }
    }
    return experiment;
}

std::string solver_accuracy_text(const std::vector<Row>& rows) {
    std::string text;
    for (const char* degeneracy : kDegeneracies) {
        text += std::string("Relative error against 50 digits, ") + degeneracy + " data\n" +
                to_terminal(accuracy_table(rows, degeneracy)) + "\n";
    }
    return text;
}

Derived solver_accuracy_derived(const std::vector<Row>& rows) {
    Derived derived;
    Figure figure;
    figure.title = "Every solver against 50 digits: what is not drawn was refused";
    figure.columns = 2;
    figure.legend = Legend::below;
    for (const char* degeneracy : kDegeneracies) {
        derived.tables.push_back(
            {std::string("solver_accuracy_") + degeneracy, accuracy_table(rows, degeneracy)});
        figure.panels.push_back(accuracy_panel(rows, degeneracy));
    }
    derived.figures.push_back({"solver_accuracy", figure});
    return derived;
}

}  // namespace

ExperimentEntry solver_accuracy() {
    return {.id = "solver_accuracy",
            .summary = "every solver against 50 digits at conditions from 10 to 1e12",
            .quick_seconds = 1.0,
            .full_seconds = 90.0,
            .make = make_solver_accuracy,
            .text = solver_accuracy_text,
            .derive_numbered = solver_accuracy_derived,
            .asks_for_refusals = true,
            .topic = Topic::solvers};
}

}  // namespace attest

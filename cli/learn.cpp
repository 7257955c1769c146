#include "cli/commands.hpp"
#include "cli/error_bound_report.hpp"
#include "cli/head_reduction.hpp"
#include "cli/numbers.hpp"
#include "cli/report.hpp"
#include "cli/scaled_number.hpp"
#include "core/base/bitwise.hpp"
#include "core/base/interrupt.hpp"
#include "core/data/dataset_file.hpp"
#include "core/data/model_file.hpp"
#include "core/features/coefficients.hpp"
#include "core/features/predict.hpp"
#include "core/heads/scaled_coefficients.hpp"
#include "core/heads/split_heads.hpp"
#include "core/moments/scaled_factor.hpp"
#include "core/solve/solvers.hpp"

#include <chrono>
#include <cmath>
#include <iostream>
#include <memory>

namespace attest::cli {

namespace {

struct LearnOptions {
    std::string data;
    std::string output;
    std::string solver = "auto";
    std::string norm = "sym";
    double ridge = 0.0;
    std::string heads = "svd";
    HeadRequest request;
    bool skip_invalid = false;
};

/// The part of a model's meta that says where it came from.
std::string model_meta(const LearnOptions& options,
                       const LeastSquaresFit& fit,
                       const Dataset& data) {
    nlohmann::ordered_json meta;
    meta["learner"] = "algorithm_1";
    meta["solver"] = fit.solver;
    meta["ridge"] = options.ridge;
    meta["norm"] = options.norm;
    meta["status"] = to_string(fit.status);
    meta["heads"] = options.heads;
    meta["data_sha256"] = digest(data);
    return meta.dump();
}

nlohmann::ordered_json attempts_json(const LeastSquaresFit& fit) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const SolveAttempt& attempt : fit.attempts) {
        list.push_back({{"solver", attempt.solver},
                        {"outcome", attempt.outcome},
                        {"predicted_seconds", json_number(attempt.predicted_seconds)},
                        {"seconds", json_number(attempt.seconds)},
                        {"predicted_bytes", json_number(attempt.predicted_bytes)},
                        {"bytes", json_number(attempt.bytes)}});
    }
    return list;
}

/// Solver, why, and what was predicted against what it took.
void add_solver(Report& report, const LeastSquaresFit& fit) {
    report.add(
        "solver", fit.solver, fit.note.empty() ? fit.solver : fit.solver + " (" + fit.note + ")");
    report.add_json("note", fit.note);
    report.add_json("attempts", attempts_json(fit));
    const SolveAttempt& last = fit.attempts.back();
    report.add_json("solve_seconds", json_number(last.seconds));
    report.say(concat("  solve: ",
                      format_seconds(last.seconds),
                      ", predicted ",
                      format_seconds(last.predicted_seconds),
                      "; memory at most ",
                      format_bytes(last.bytes),
                      ", predicted ",
                      format_bytes(last.predicted_bytes)));
}

/// The norm in which the learned P is nearest to the minimiser: the training risk, and the ridge
/// where there is one.
FitTarget head_target(const Dataset& data, const Matrix& P, const SolveOptions& solve) {
    const Index d = data.d();
    const ScaledFactor scaled = scaled_factor(data);
    const Matrix& R = scaled.factor.R;
    if (is_zero(solve.ridge)) {
        return weighted_target(P, d, R);
    }
    Matrix stacked = Matrix::Zero(R.rows() + R.cols(), R.cols());
    stacked.topRows(R.rows()) = R;
    stacked.bottomRows(R.cols()).diagonal() =
        std::ldexp(std::sqrt(solve.ridge), -scaled.features()) * norm_weights(d, solve.norm);
    return weighted_target(P, d, stacked);
}

/// The learned model; with fewer heads than Algorithm 1's, P is theirs.
Model model_of(Report& report,
               const Dataset& data,
               const LeastSquaresFit& fit,
               const LearnOptions& options,
               const SolveOptions& solve,
               std::uint64_t seed) {
    const Index d = data.d();
    const Index o = data.o();
    if (options.request.choice == HeadChoice::svd) {
        const HeadSplit split = split_heads(fit.P, d);
        report.add("num_heads", split.heads.num_heads(), concat(split.heads.num_heads(), " (SVD)"));
        return {d, o, fit.P, split.heads, ""};
    }
    const auto [P, exponent] = scaled_coefficients(fit.P);
    const Parameters heads = times_power(
        reduce_heads(report, head_target(data, P, solve), options.request, seed), exponent);
    return {d, o, coefficients(heads), heads, ""};
}

void report_fit(Report& report, const Dataset& data, const LeastSquaresFit& fit) {
    const Index psi = feature_dim(data.d());
    report.add("num_examples", data.num_examples());
    report.add("d", data.d());
    report.add("o", data.o());
    report.add("psi", psi);
    add_solver(report, fit);
    report.add("status", to_string(fit.status), status_text(fit.status));
    if (fit.rank >= 0) {
        report.add("rank", fit.rank, concat(fit.rank, " of ", psi, " (numerical)"));
    } else {
        report.add("rank", nullptr, "not computed with a ridge; --solver svd does");
    }
    report.add("rcond", json_number(fit.rcond), brief(fit.rcond));
    report_error_bound(report, fit);
}

int learn(LearnOptions options, const CommonOptions& common) {
    const auto start = std::chrono::steady_clock::now();
    // Wrong names first: reading the data may take a while.
    const SolveOptions solve{options.ridge, norm_from_string(options.norm), common.threads};
    const HeadRequest request = head_request(options.heads);
    options.request.choice = request.choice;
    options.request.count = request.count;
    if (options.solver != "auto") {
        (void)solver_named(options.solver);
    }
    const Dataset data = read_dataset(
        options.data, options.skip_invalid ? InvalidExamples::skip : InvalidExamples::reject);
    require(data.labels != LabelKind::none,
            concat(options.data, ": no labels (key y or y_prefix); learning needs them"));
    const DatasetSource source(data);
    const LeastSquaresFit fit = fit_least_squares(source, options.solver, solve);
    if (fit.status == SolveStatus::refused) {
        throw NotAvailable(
            concat("solver ", fit.solver, " refuses: ", fit.note, "; try --solver svd"));
    }
    Report report;
    report_fit(report, data, fit);
    Model model = model_of(report, data, fit, options, solve, common.seed);
    report_risk(report, empirical_risk(model.P, source));
    if (!options.output.empty()) {
        model.meta = model_meta(options, fit, data);
        write_model(options.output, model);
    }
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    report.add("norm", options.norm);
    report.add("ridge", options.ridge);
    report.add("seconds", json_number(seconds), format_seconds(seconds));
    if (!options.output.empty()) {
        report.add("model", options.output);
    }
    report.print(std::cout, common.json);
    if (options.request.choice != HeadChoice::svd) {
        throw_if_interrupted("the best heads so far were kept");
    }
    return kHolds;
}

}  // namespace

Command add_learn(CLI::App& program, CommonOptions& common) {
    const auto options = std::make_shared<LearnOptions>();
    CLI::App* app = program.add_subcommand(
        "learn", "Learn linear attention from sequences (Algorithm 1): least squares, then heads");
    app->add_option("data", options->data, "Data set (.npz) with labels")->required();
    app->add_option("-o,--output", options->output, "Model file to write (.npz)");
    app->add_option("--solver", options->solver, "auto, or one of the solvers below")
        ->capture_default_str();
    app->add_option("--ridge", options->ridge, "Ridge penalty R: adds R times the squared norm")
        ->check(number_from_zero())
        ->capture_default_str();
    app->add_option("--norm", options->norm, "Norm of ridge and minimum norm: sym or packed")
        ->capture_default_str();
    app->add_option(
           "--heads",
           options->heads,
           "svd (Algorithm 1), min (fewest of the same function), elbow (as many as noise\n"
           "lets one tell apart) or a number: the best on the data")
        ->capture_default_str();
    add_head_options(*app, options->request);
    app->add_flag(
        "--skip-invalid", options->skip_invalid, "Drop sequences that hold a NaN or infinity");
    add_common(*app, common);
    std::vector<std::pair<std::string, std::string>> names;
    for (const Solver& solver : solvers()) {
        names.emplace_back(solver.name, solver.summary);
    }
    add_names(*app, "Solvers", names);
    add_examples(*app,
                 "  attest learn data.npz -o model.npz\n"
                 "  attest learn data.npz --heads min -o model.npz\n"
                 "  attest learn data.npz --solver svd --json\n");
    return {app, [options, &common] { return learn(*options, common); }};
}

}  // namespace attest::cli

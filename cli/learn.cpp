#include "cli/commands.hpp"
#include "cli/report.hpp"
#include "core/data/dataset_file.hpp"
#include "core/data/model_file.hpp"
#include "core/features/predict.hpp"
#include "core/heads/split_heads.hpp"
#include "core/solve/solvers.hpp"

#include <chrono>
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

int learn(const LearnOptions& options, const CommonOptions& common) {
    const auto start = std::chrono::steady_clock::now();
    // Wrong names first: reading the data may take a while.
    const SolveOptions solve{options.ridge, norm_from_string(options.norm), common.threads};
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
    const Risk risk = empirical_risk(fit.P, source);
    const HeadSplit split = split_heads(fit.P, data.d());
    if (!options.output.empty()) {
        write_model(options.output,
                    {data.d(), data.o(), fit.P, split.heads, model_meta(options, fit, data)});
    }
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const Index psi = feature_dim(data.d());
    Report report;
    report.add("num_examples", data.num_examples());
    report.add("d", data.d());
    report.add("o", data.o());
    report.add("psi", psi);
    add_solver(report, fit);
    report.add("status",
               to_string(fit.status),
               fit.status == SolveStatus::unique
                   ? "unique: numerically the only minimiser"
                   : "minimum norm: many minimisers fit these data, this is the one of least norm");
    if (fit.rank >= 0) {
        report.add("rank", fit.rank, concat(fit.rank, " of ", psi, " (numerical)"));
    } else {
        report.add("rank", nullptr, "not computed with a ridge; --solver svd does");
    }
    report.add("rcond", json_number(fit.rcond), brief(fit.rcond));
    report.add("error_bound", json_number(fit.error_bound), brief(fit.error_bound));
    report.add("risk", json_number(risk.risk), brief(risk.risk));
    report.add("mse", json_number(risk.mse), brief(risk.mse));
    report.add("relative", json_number(risk.relative), brief(risk.relative));
    report.add("num_heads", split.heads.num_heads(), concat(split.heads.num_heads(), " (SVD)"));
    report.add("norm", options.norm);
    report.add("ridge", options.ridge);
    report.add("seconds", json_number(seconds), format_seconds(seconds));
    if (!options.output.empty()) {
        report.add("model", options.output);
    }
    report.print(std::cout, common.json);
    return kHolds;
}

}  // namespace

Command add_learn(CLI::App& program, CommonOptions& common) {
    const auto options = std::make_shared<LearnOptions>();
    CLI::App* app = program.add_subcommand(
        "learn", "Learn linear attention from sequences (Algorithm 1): least squares, then heads");
    app->add_option("data", options->data, "Data set (.npz) with labels")->required();
    app->add_option("-o,--output", options->output, "Model file to write (.npz)");
    std::string names = "auto";
    for (const Solver& solver : solvers()) {
        names += concat(", ", solver.name, " (", solver.summary, ")");
    }
    app->add_option("--solver", options->solver, "One of " + names)->capture_default_str();
    app->add_option("--ridge", options->ridge, "Ridge penalty R: adds R times the squared norm")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
    app->add_option("--norm", options->norm, "Norm of ridge and minimum norm: sym or packed")
        ->capture_default_str();
    app->add_flag(
        "--skip-invalid", options->skip_invalid, "Drop sequences that hold a NaN or infinity");
    add_common(*app, common);
    add_examples(*app,
                 "  attest learn data.npz -o model.npz\n"
                 "  attest learn data.npz --solver svd --json\n");
    return {app, [options, &common] { return learn(*options, common); }};
}

}  // namespace attest::cli

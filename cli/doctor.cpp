#include "cli/commands.hpp"
#include "core/algebra/blas_core.hpp"
#include "core/algebra/lapack.hpp"
#include "core/algebra/mapped_blas.hpp"
#include "core/algebra/residual_ratio.hpp"
#include "core/base/files.hpp"
#include "core/base/memory.hpp"
#include "core/base/timer.hpp"
#include "core/features/coefficients.hpp"
#include "core/questions/output.hpp"
#include "core/solve/cost_model.hpp"
#include "core/solve/solvers.hpp"
#include "tasks/registry.hpp"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <utility>

namespace attest::cli {

namespace {

/// Relative error of P that a healthy solver stays far below on the planted problem (psi = 18, cond
/// about 10), and a broken backend far above.
constexpr double kHealthyError = 1e-10;

struct DoctorOptions {
    bool calibrate = false;
    std::string rates;  ///< where to; empty: rates_path()
};

/// Best rate of the symmetric rank-k update of size n over a few runs, in flop/s.
double syrk_rate(Index n) {
    const Matrix A = Matrix::Constant(n, n, 0.5);
    Matrix C = Matrix::Zero(n, n);
    double best = 0.0;
    for (int run = 0; run < 5; ++run) {
        const Timer timer;
        add_syrk(C, A);
        best = std::max(best,
                        static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n) /
                            timer.seconds());
    }
    return best;
}

/// What one solver made of a known problem: relative error of P, or why there is none.
struct Trial {
    std::string problem;
    double error = 1.0;
    std::string reason = {};
};

Trial try_solver(const Solver& solver,
                 std::string problem,
                 const MomentSource& source,
                 const Matrix& truth,
                 int threads) {
    try {
        const LeastSquaresFit fit =
            fit_least_squares(source, solver.name, {0.0, Norm::sym, threads});
        if (fit.status == SolveStatus::refused) {
            return {std::move(problem), 1.0, fit.note};
        }
        return {std::move(problem), (fit.P - truth).norm() / truth.norm()};
    } catch (const NotAvailable& error) {
        return {std::move(problem), 1.0, error.what()};
    }
}

/// Every solver on a planted problem with a known answer; dual, which is for fewer examples than
/// features, on its first 12 sequences, whose minimum-norm fit 50 digits tell.
nlohmann::ordered_json try_solvers(Output& output, const CommonOptions& common, bool& healthy) {
    const auto task =
        make_task("random-linear-attention", {{"d", "3"}, {"n", "8"}, {"heads", "2"}}, common.seed);
    const Dataset data = materialise(*task, 0, 200, common.threads);
    const DatasetSource source(data);
    const Dataset few = subset(data, 0, 12);
    const DatasetSource few_source(few);
    const Matrix least = fit_least_squares(few_source, "reference", {}).P;
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const Solver& solver : solvers()) {
        const Trial trial =
            solver.traits.ground == SolverGround::few_examples
                ? try_solver(solver, "minimum norm", few_source, least, common.threads)
                : try_solver(
                      solver, "planted", source, coefficients(*data.truth.heads), common.threads);
        const bool fine = trial.reason.empty() && trial.error < kHealthyError;
        healthy = healthy && fine;
        list.push_back({{"solver", solver.name},
                        {"problem", trial.problem},
                        {"relative_error", trial.error},
                        {"ok", fine}});
        output.say(formatted(
            "  {}{}, {}: {}",
            fine ? "ok     " : "FAILED ",
            solver.name,
            trial.problem,
            trial.reason.empty() ? "relative error " + brief(trial.error) : trial.reason));
    }
    return list;
}

/// Measures the rates of the cost model and stores them, whole or not at all.
void calibrate(Output& output, const std::string& path, int threads) {
    if (path.empty()) {
        throw EnvironmentFailure(
            "no place for the rates: set XDG_CACHE_HOME or HOME, or pass --rates FILE");
    }
    set_blas_threads(1);
    const std::string text = to_text(measure_rates());
    set_blas_threads(threads);
    std::error_code ignored;  // a folder that cannot be made shows when the file is written
    const std::filesystem::path folder = std::filesystem::path(path).parent_path();
    if (!folder.empty()) {
        std::filesystem::create_directories(folder, ignored);
    }
    write_file_atomically(path, text);
    output.add("rates", path);
    output.say(text);
}

int diagnose(const DoctorOptions& options, const CommonOptions& common) {
    const LapackInfo info = lapack_info();
    const std::vector<std::string> blas = mapped_blas();
    bool healthy = blas.size() <= 1;
    Output output;
    output.add("version", version_line());
    output.add("backend", info.backend);
    output.add("blas", info.library);
    output.add("blas_core", info.core, info.core.empty() ? "not reported" : info.core);
    const BlasSituation situation = blas_situation();
    if (const std::string chosen = blas_core_chosen_by(situation); !chosen.empty()) {
        output.add("blas_core_chosen_by", chosen);
    }
    if (const std::string advice = blas_advice(situation); !advice.empty()) {
        output.add("blas_advice", advice);
    }
    output.add("blas_threads", info.threads);
    const double rate = syrk_rate(1024);
    output.add("dsyrk_gflops", number_or_null(rate / 1e9), brief(rate / 1e9) + " GF/s (1024x1024)");
    output.add("memory_limit", number_or_null(memory_limit()), format_bytes(memory_limit()));
    output.add_json("mapped_blas", blas);
    for (const std::string& folder : blas) {
        output.say("  mapped " + folder);
    }
    if (options.calibrate) {
        calibrate(output, options.rates.empty() ? rates_path() : options.rates, common.threads);
    }
    output.add_json("solvers", try_solvers(output, common, healthy));
    if (blas.size() > 1) {
        output.say("two BLAS implementations are mapped: check LD_PRELOAD and LD_LIBRARY_PATH");
    }
    output.add("healthy", healthy, healthy ? "yes" : "no");
    output.print(std::cout, common.json);
    return healthy ? kHolds : kEnvironment;
}

}  // namespace

Command add_doctor(CLI::App& program, CommonOptions& common) {
    CLI::App* app = program.add_subcommand(
        "doctor", "Run every backend on a known problem; say which BLAS answers and how fast");
    const auto options = std::make_shared<DoctorOptions>();
    app->add_flag(
        "--calibrate", options->calibrate, "Measure and store the rates that --solver auto uses");
    app->add_option("--rates", options->rates, "File for --calibrate; then set ATTEST_RATES to it")
        ->needs("--calibrate");
    add_common(*app, common);
    add_examples(*app,
                 "  attest doctor\n"
                 "  attest doctor --calibrate\n"
                 "  OPENBLAS_CORETYPE=Haswell attest doctor --json\n");
    return {app, [options, &common] { return diagnose(*options, common); }};
}

}  // namespace attest::cli

#include "cli/commands.hpp"
#include "cli/report.hpp"
#include "core/algebra/lapack.hpp"
#include "core/algebra/mapped_blas.hpp"
#include "core/algebra/residual_ratio.hpp"
#include "core/base/memory.hpp"
#include "core/features/coefficients.hpp"
#include "core/solve/solvers.hpp"
#include "tasks/registry.hpp"

#include <algorithm>
#include <chrono>
#include <iostream>
#include <memory>

namespace attest::cli {

namespace {

/// Relative error of P that a healthy solver stays far below on the planted problem (psi = 18, cond
/// about 10), and a broken backend far above.
constexpr double kHealthyError = 1e-10;

/// Best rate of the symmetric rank-k update of size n over a few runs, in flop/s.
double syrk_rate(Index n) {
    const Matrix A = Matrix::Constant(n, n, 0.5);
    Matrix C = Matrix::Zero(n, n);
    double best = 0.0;
    for (int run = 0; run < 5; ++run) {
        const auto start = std::chrono::steady_clock::now();
        add_syrk(C, A);
        const double seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        best = std::max(
            best,
            static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n) / seconds);
    }
    return best;
}

/// Every solver on a planted problem with a known answer: relative error of P, or why it refused.
nlohmann::ordered_json try_solvers(Report& report, const CommonOptions& common, bool& healthy) {
    const auto task =
        make_task("random-linear-attention", {{"d", "3"}, {"n", "8"}, {"heads", "2"}}, common.seed);
    const Dataset data = materialise(*task, 0, 200, common.threads);
    const DatasetSource source(data);
    const Matrix truth = coefficients(*data.truth.heads);
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const Solver& solver : solvers()) {
        const LeastSquaresFit fit =
            fit_least_squares(source, solver.name, {0.0, Norm::sym, common.threads});
        const bool answered = fit.status != SolveStatus::refused;
        const double error = answered ? (fit.P - truth).norm() / truth.norm() : 1.0;
        const bool fine = answered && error < kHealthyError;
        healthy = healthy && fine;
        list.push_back({{"solver", solver.name}, {"relative_error", error}, {"ok", fine}});
        report.say(concat(
            "  ", fine ? "ok    " : "FAILED ", solver.name, ": relative error ", brief(error)));
    }
    return list;
}

int diagnose(const CommonOptions& common) {
    const LapackInfo info = lapack_info();
    const std::vector<std::string> blas = mapped_blas();
    bool healthy = blas.size() <= 1;
    Report report;
    report.add("version", version_line());
    report.add("backend", info.backend);
    report.add("blas", info.library);
    report.add("blas_core", info.core, info.core.empty() ? "not reported" : info.core);
    report.add("blas_threads", info.threads);
    const double rate = syrk_rate(1024);
    report.add("dsyrk_gflops", json_number(rate / 1e9), brief(rate / 1e9) + " GF/s (1024x1024)");
    report.add("memory_limit", json_number(memory_limit()), format_bytes(memory_limit()));
    report.add_json("mapped_blas", blas);
    for (const std::string& folder : blas) {
        report.say("  mapped " + folder);
    }
    report.add_json("solvers", try_solvers(report, common, healthy));
    if (blas.size() > 1) {
        report.say("two BLAS implementations are mapped: check LD_PRELOAD and LD_LIBRARY_PATH");
    }
    report.add("healthy", healthy, healthy ? "yes" : "no");
    report.print(std::cout, common.json);
    return healthy ? kHolds : kEnvironment;
}

}  // namespace

Command add_doctor(CLI::App& program, CommonOptions& common) {
    CLI::App* app = program.add_subcommand(
        "doctor", "Run every backend on a known problem; say which BLAS answers and how fast");
    add_common(*app, common);
    add_examples(*app, "  attest doctor\n  OPENBLAS_CORETYPE=Haswell attest doctor --json\n");
    return {app, [&common] { return diagnose(common); }};
}

}  // namespace attest::cli

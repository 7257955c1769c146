#include "bench/experiments/solvers/solver_timing.hpp"

#include "bench/experiments/frame/group_table.hpp"
#include "bench/experiments/solvers/blas_library.hpp"
#include "core/base/child_process.hpp"
#include "core/base/error.hpp"
#include "core/base/memory.hpp"
#include "core/base/text.hpp"
#include "core/base/timer.hpp"
#include "core/data/dataset_file.hpp"
#include "core/features/coefficients.hpp"
#include "core/solve/solvers.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>

namespace attest {

namespace {

bool is_peer(const std::string& contender) {
    const std::vector<std::string> peers = peer_names();
    return std::find(peers.begin(), peers.end(), contender) != peers.end();
}

Matrix planted_coefficients(const Dataset& data, const std::string& file) {
    if (data.truth.P) {
        return *data.truth.P;
    }
    require(data.truth.heads.has_value(),
            "{}: no truth_P, and no truth_V and truth_Q; attest generate writes them",
            file);
    return coefficients(*data.truth.heads);
}

std::vector<std::string> command_line(const std::string& data_file,
                                      const std::string& contender,
                                      const TimingOptions& options) {
    if (is_peer(contender)) {
        // The libraries are the distribution's, and so is the interpreter that has them.
        return {"/usr/bin/python3",
                formatted("{}/solve_peer.py", ATTEST_PEERS_FOLDER),
                contender,
                data_file,
                std::to_string(options.rounds)};
    }
    return {program_folder() + "/attest",
            "bench",
            data_file,
            "--solver",
            contender,
            "--rounds",
            std::to_string(options.rounds),
            "--threads",
            std::to_string(options.threads),
            "--json"};
}

}  // namespace

nlohmann::ordered_json to_json_object(const SolverTiming& timing) {
    return {{"contender", timing.contender},
            {"seconds", timing.seconds},
            {"cpu_seconds", timing.cpu_seconds},
            {"relative_error", timing.relative_error},
            {"peak_rss_bytes", timing.peak_rss_bytes},
            {"note", timing.note},
            {"blas", timing.blas}};
}

SolverTiming time_solver(const std::string& data_file,
                         std::string_view solver,
                         const TimingOptions& options) {
    const Dataset data = read_dataset(data_file, InvalidExamples::reject, options.layer);
    const Matrix truth = planted_coefficients(data, data_file);
    const DatasetSource source(data);
    SolverTiming best;
    best.contender = std::string(solver);
    best.seconds = best.cpu_seconds = std::numeric_limits<double>::infinity();
    for (int round = 0; round < options.rounds; ++round) {
        const Timer timer;
        const LeastSquaresFit fit =
            fit_least_squares(source, solver, {0.0, Norm::sym, options.threads});
        best.seconds = std::min(best.seconds, timer.seconds());
        best.cpu_seconds = std::min(best.cpu_seconds, timer.cpu_seconds());
        if (fit.status == SolveStatus::refused) {
            throw NotAvailable(formatted("solver {} refuses: {}", fit.solver, fit.note));
        }
        best.relative_error = (fit.P - truth).norm() / truth.norm();
        best.note = fit.solver;
    }
    best.peak_rss_bytes = peak_resident_bytes();
    best.blas = mapped_blas_name();
    return best;
}

std::vector<std::string> peer_names() {
    return {"numpy_lstsq",
            "numpy_normal_equations",
            "scipy_gelsd",
            "scipy_gelsy",
            "sklearn_ridge_cholesky",
            "sklearn_linear_regression",
            "torch_gels"};
}

SolverTiming time_contender(const std::string& data_file,
                            const std::string& contender,
                            const TimingOptions& options) {
    const std::string threads = std::to_string(options.threads);
    EnvironmentChanges environment{{"OPENBLAS_NUM_THREADS", threads},
                                   {"BLIS_NUM_THREADS", threads},
                                   {"OMP_NUM_THREADS", threads}};
    const std::size_t at = contender.find('@');
    if (at != std::string::npos) {
        environment["LD_LIBRARY_PATH"] = blas_library_path(contender.substr(at + 1));
    }
    const ChildResult child =
        run_child(command_line(data_file, contender.substr(0, at), options), environment);
    if (child.code == 5) {
        throw NotAvailable(
            formatted("{}: not installed, or it refuses; its line says which", contender));
    }
    const auto answer = nlohmann::json::parse(child.out, nullptr, false);
    if (child.code != 0 || !answer.is_object()) {
        throw EnvironmentFailure(formatted("{}: ended with code {}", contender, child.code));
    }
    SolverTiming timing;
    timing.contender = contender;
    timing.seconds = answer.at("seconds");
    timing.cpu_seconds = answer.at("cpu_seconds");
    timing.relative_error = answer.at("relative_error");
    timing.peak_rss_bytes = answer.at("peak_rss_bytes");
    timing.note = answer.contains("note") ? answer["note"] : answer.at("version");
    timing.blas = answer.at("blas");
    if (at != std::string::npos && timing.blas.find('+') != std::string::npos) {
        throw EnvironmentFailure(formatted("{}: mapped two BLAS, {}", contender, timing.blas));
    }
    return timing;
}

}  // namespace attest

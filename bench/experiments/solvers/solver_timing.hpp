#pragma once

#include "core/base/shape.hpp"
#include "core/layers/layer.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace attest {

/// What one contender needed for one least-squares problem, in a process of its own.
struct SolverTiming {
    std::string contender;
    double seconds = 0.0;         ///< wall time of the fastest round, from stored sequences to P
    double cpu_seconds = 0.0;     ///< processor time of the round that took least of it
    double relative_error = 0.0;  ///< ‖P − truth‖_F / ‖truth‖_F
    double peak_rss_bytes = 0.0;  ///< of the whole process
    std::string note;             ///< which solver answered, or the library and its version
    std::string blas;             ///< the BLAS that the process had mapped
};

[[nodiscard]] nlohmann::ordered_json to_json_object(const SolverTiming& timing);

/// How often a contender solves the same problem.
struct TimingOptions {
    int threads = 1;
    int rounds = 3;
    Layer layer = {};  ///< that the data are of; time_solver only
};

/// Times a solver of ours on a data set with planted coefficients or heads, in this process. Throws
/// NotAvailable when the solver refuses, InvalidInput when the file names no truth.
[[nodiscard]] SolverTiming time_solver(const std::string& data_file,
                                       std::string_view solver,
                                       const TimingOptions& options);

/// Other libraries' solvers that bench/peers/solve_peer.py times, by its names for them.
[[nodiscard]] std::vector<std::string> peer_names();

/// Times a contender, ours ("auto" or a solver's name) or a peer, in a child process: `attest bench
/// DATA --solver NAME` or the peers' script. `contender@BLAS` runs it with a BLAS that
/// blas_library_path knows. All get the same BLAS environment: the caller's, with the threads asked
/// for. Throws NotAvailable when the contender or the BLAS is not installed or the contender
/// refuses, EnvironmentFailure when the process mapped a second BLAS.
[[nodiscard]] SolverTiming time_contender(const std::string& data_file,
                                          const std::string& contender,
                                          const TimingOptions& options);

}  // namespace attest

#pragma once

#include "core/data/moment_source.hpp"
#include "core/features/gauge.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace attest {

/// min_P (1/N) Σ ‖Pᵀ H(Z_i) − y_i‖² + ridge·‖P‖², ‖·‖ as `norm` says; among several minimisers the
/// one of least norm.
struct SolveOptions {
    double ridge = 0.0;
    Norm norm = Norm::sym;
    int threads = 1;
};

/// How a solve ended. Only `refused` carries no coefficients.
enum class SolveStatus : std::uint8_t {
    unique,        ///< numerically full rank: the only minimiser
    minimum_norm,  ///< numerically rank deficient: the minimiser of least norm
    refused,       ///< this solver cannot answer accurately; `note` says why
};

[[nodiscard]] std::string_view to_string(SolveStatus status);

struct LeastSquaresFit {
    Matrix P;  ///< ψ×o, 0×0 when refused
    SolveStatus status = SolveStatus::refused;
    Index rank =
        0;  ///< numerical rank of the N×ψ feature matrix, where the solver reveals it, else −1
    double rcond = 0.0;  ///< estimate of 1/cond of the system that was solved
    std::string solver;  ///< the registry's name of the solver that answered
    std::string note;    ///< one line for people: why this solver, why refused, what fell back
};

/// Flops and bytes a solver needs, known before it starts.
struct SolveCost {
    double flops = 0.0;
    double bytes = 0.0;
};

}  // namespace attest

#pragma once

#include "core/data/sources/moments.hpp"
#include "core/features/coefficients.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attest {

/// Which tokens a solver that forms a Gram works with.
enum class Coordinates : std::uint8_t {
    whitened,  ///< whitened where the data set is at hand and there is no ridge; the default
    given,     ///< as they are
};

/// min_P (1/N) Σ ‖Pᵀ H(Z_i) − y_i‖² + ridge·‖P‖², ‖·‖ as `norm` says; among several minimisers the
/// one of least norm.
struct SolveOptions {
    double ridge = 0.0;
    Norm norm = Norm::sym;
    int threads = 1;
    Coordinates coordinates = Coordinates::whitened;
};

/// How a solve ended. Only `refused` carries no coefficients.
enum class SolveStatus : std::uint8_t {
    unique,        ///< numerically full rank: the only minimiser
    minimum_norm,  ///< N < ψ examples, numerically independent: the minimiser of least norm
    minimum_norm_at_numerical_rank,  ///< singular values near rounding were taken for zeros: the
                                     ///< minimiser of least norm if they are
    refused,                         ///< this solver cannot answer accurately; `note` says why
};

[[nodiscard]] std::string_view to_string(SolveStatus status);

/// Whether the error bound holds whatever the true rank is.
[[nodiscard]] bool presumes_numerical_rank(SolveStatus status);

/// Coordinates that were solved for apart, each divided by a power of two.
struct ScaledCoordinates {
    std::vector<int> exponents;  ///< d: coordinate j of a token is 2^exponents[j] times as large
    double error_bound = 0.0;    ///< of the coefficients of the scaled tokens
};

/// One solver that was tried.
struct SolveAttempt {
    std::string solver;
    std::string outcome;             ///< "answered", or why not
    double predicted_seconds = 0.0;  ///< by the cost model
    double predicted_bytes = 0.0;
    double seconds = 0.0;
    double bytes = 0.0;  ///< growth of the process's peak resident memory, an upper bound
};

struct LeastSquaresFit {
    Matrix P;  ///< ψ×o, 0×0 when refused
    SolveStatus status = SolveStatus::refused;
    Index rank = 0;  ///< numerical rank of the N×ψ feature matrix, where the solver reveals it,
                     ///< else −1 (with a ridge only svd does)
    double rcond = 0.0;  ///< estimate of 1/cond of the features in the coordinates of the solve
    double error_bound = 0.0;  ///< estimate: ‖P − P*‖ ≤ error_bound·‖P*‖, P* the exact minimiser,
                               ///< or that of the numerical rank where the status says so; ∞ where
                               ///< nothing is assured (core/solve/accuracy.hpp)
    std::optional<ScaledCoordinates> scaled;  ///< where coordinates differ much in size
    std::string solver;                       ///< the registry's name of the solver that answered
    std::string note;  ///< one line for people: why this solver, why refused, what fell back
    std::vector<SolveAttempt> attempts;  ///< in order; the last one is `solver`
};

/// How a solve ended that found this numerical rank.
[[nodiscard]] SolveStatus status_of_rank(Index rank, Index num_examples, Index psi);

/// "rank 5 of 18: the minimiser of least norm", with what it presumes.
[[nodiscard]] std::string rank_note(SolveStatus status, Index rank, Index psi);

/// A fit without an answer, and why.
[[nodiscard]] LeastSquaresFit refusal(std::string_view solver, std::string note);

/// One number for each kind of work that solvers spend their time on.
struct WorkByKind {
    double gram64 = 0.0;      ///< structured second moment, counted as Nψ²/2
    double gram32 = 0.0;      ///< the same in single precision
    double product = 0.0;     ///< matrix products
    double cholesky64 = 0.0;  ///< packed Cholesky factorisation
    double cholesky32 = 0.0;
    double orthogonal = 0.0;      ///< Householder and SVD
    double multiprecision = 0.0;  ///< 50 digits
};

/// Flops and bytes a solver needs, known before it starts.
struct SolveCost {
    WorkByKind flops;
    double bytes = 0.0;
};

[[nodiscard]] double total(const WorkByKind& flops);

}  // namespace attest

#pragma once

#include "core/algebra/matrix.hpp"

#include <cstdint>

namespace attest {

/// minimise cᵀy subject to A y = b, 0 ≤ y ≤ u. A is n×T, dense, n small; entries of u may be
/// infinite.
struct LinearProgram {
    Matrix A;
    Vector b;
    Vector c;
    Vector u;
};

enum class ProgramStatus : std::uint8_t {
    optimal,     ///< residuals and gap are below the tolerance
    unfinished,  ///< the iteration limit, or no step any more: infeasible, unbounded or degenerate
};

/// A primal point with multipliers: at the optimum Aᵀλ ≤ c wherever y < u, so λ solves the dual.
struct ProgramSolution {
    ProgramStatus status = ProgramStatus::unfinished;
    Vector y;
    Vector lambda;
    double objective = 0.0;
    double gap = 0.0;       ///< (cᵀy − dual objective)/(1 + |cᵀy|)
    double residual = 0.0;  ///< largest relative violation of the equalities, primal and dual
    Index iterations = 0;
};

/// Primal-dual interior point method with Mehrotra's predictor (SIAM J. Optim. 2, 1992), upper
/// bounds as in Portnoy and Koenker (Stat. Sci. 12, 1997). O(n²T) an iteration, 10 to 40
/// iterations. Throws InvalidInput when shapes disagree or an upper bound is not positive.
[[nodiscard]] ProgramSolution solve(const LinearProgram& program);

}  // namespace attest

#pragma once

#include "core/solve/cost_model.hpp"
#include "core/solve/problem.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attest {

/// Which data a solver is for.
enum class SolverGround : std::uint8_t {
    any,
    few_examples,      ///< N ≤ ψ
    few_query_tokens,  ///< as many as the query has entries: no place in a comparison
};

/// What sets a solver apart from the others, so that nobody asks for it by name.
struct SolverTraits {
    SolverGround ground = SolverGround::any;
    bool beyond_doubles = false;  ///< has exponents to spare, and takes the tokens as they are
    bool needs_whole = false;     ///< looks at all tokens at once, not at block after block
    bool as_printed = false;      ///< solves for Algorithm 1's o·d³ unknowns
};

/// One entry of the solver table.
struct Solver {
    std::string_view name;
    std::string_view summary;   ///< one line: the method
    std::string_view accuracy;  ///< how the error grows with the condition κ of the features
    std::string_view refuses;   ///< what it does not answer
    SolveCost (*cost)(const SourceShape&);
    LeastSquaresFit (*fit)(const MomentSource&, const SolveOptions&);
    SolverTraits traits = {};

    /// Whether it answers problems of that shape at all.
    [[nodiscard]] bool is_for(const SourceShape& shape) const {
        return traits.ground != SolverGround::few_examples || shape.num_examples <= shape.psi();
    }
};

/// Every solver of this build (without LAPACKE: none of its drivers), in the order in which `attest
/// learn --help` lists them.
[[nodiscard]] std::span<const Solver> solvers();

/// The solver of that name; throws UnknownName listing the names otherwise.
[[nodiscard]] const Solver& solver_named(std::string_view name);

/// Least squares by the named solver, or for "auto" by fit_automatic. The memory estimate comes
/// first: EnvironmentFailure, naming a solver that would fit, when it exceeds memory_limit(). The
/// fit of a named solver may be `refused`; auto's never is. `attempts` says what was predicted and
/// what it took.
[[nodiscard]] LeastSquaresFit fit_least_squares(const MomentSource& source,
                                                std::string_view solver,
                                                const SolveOptions& options);

/// The solvers `auto` would try for this shape, in order: dual where N < ψ; else the one of gram32,
/// gram64 (with a ridge and N < ψ: dual too) that the cost model finds cheapest among those that
/// fit in memory, kron where neither fits; then gram64, tsqr and svd, the last of which answers
/// whatever the rank.
[[nodiscard]] std::vector<std::string_view> automatic_chain(const SourceShape& shape,
                                                            const SolveOptions& options,
                                                            const Rates& rates);

/// Least squares by the chain: the next solver where one refuses or does not fit in memory, each
/// recorded in `attempts`. tsqr and svd share one factor. Throws EnvironmentFailure when none fits.
[[nodiscard]] LeastSquaresFit fit_automatic(const MomentSource& source,
                                            const SolveOptions& options,
                                            const Rates& rates);

/// Runs a solver and records time, memory and outcome as one more attempt behind `before`.
[[nodiscard]] LeastSquaresFit fit_recorded(const Solver& solver,
                                           const MomentSource& source,
                                           const SolveOptions& options,
                                           const Rates& rates,
                                           std::vector<SolveAttempt> before);

}  // namespace attest

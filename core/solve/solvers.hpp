#pragma once

#include "core/solve/problem.hpp"

#include <span>
#include <string>
#include <string_view>

namespace attest {

/// One entry of the solver table.
struct Solver {
    std::string_view name;
    std::string_view summary;  ///< one line: method, accuracy range
    SolveCost (*cost)(const SourceShape&);
    LeastSquaresFit (*fit)(const MomentSource&, const SolveOptions&);
};

/// Every solver, in the order in which `attest learn --help` lists them.
[[nodiscard]] std::span<const Solver> solvers();

/// The solver of that name; throws UnknownName listing the names otherwise.
[[nodiscard]] const Solver& solver_named(std::string_view name);

/// Least squares by the named solver, or for "auto" by the cheapest one that is accurate for this
/// problem. Throws EnvironmentFailure before allocating what does not fit. The fit of a named
/// solver may be `refused`; auto's never is.
[[nodiscard]] LeastSquaresFit fit_least_squares(const MomentSource& source,
                                                std::string_view solver,
                                                const SolveOptions& options);

}  // namespace attest

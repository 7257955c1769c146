#pragma once

#include "core/base/shape.hpp"
#include "record/table.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attest {

/// How one solver fared against the bounds it gives itself.
struct BoundTally {
    std::string solver;
    Index fits = 0;
    Index answered = 0;  ///< with a bound to hold
    Index refused = 0;
    Index unclaimed = 0;       ///< answered for another numerical rank, or with an infinite bound
    Index beyond = 0;          ///< answered, and off by more than the bound
    double worst_ratio = 0.0;  ///< the largest error over bound
    Index worst_problem = -1;  ///< its number
    std::string worst_words;
};

struct BoundSearchOptions {
    Index fits = 10000;  ///< stop after the problem that reaches this many
    std::uint64_t seed = 1;
    int threads = 1;                     ///< of every solver
    std::vector<std::string> only = {};  ///< solvers; empty: all but the reference
    double share = 1.0;  ///< of its bound that a solver is held to: less in a negative control
    std::function<void(Index)> progress = {};  ///< told the fits so far, after each problem
};

struct BoundSearch {
    Index problems = 0;
    Index fits = 0;
    std::vector<BoundTally> tallies;  ///< in the order of solvers()

    [[nodiscard]] Index beyond() const;
};

/// Draws problems 0, 1, 2 … (bound_problem.hpp) and asks every solver; the relative error against
/// the 50-digit reference must be at most the solver's own bound plus the reference's. A problem
/// that 50 digits cannot tell from a deficient one counts for nobody.
[[nodiscard]] BoundSearch search_bounds(const BoundSearchOptions& options);

/// One row a solver.
[[nodiscard]] Table bound_table(const BoundSearch& search);

}  // namespace attest

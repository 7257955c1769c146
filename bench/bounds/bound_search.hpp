#pragma once

#include "core/base/shape.hpp"
#include "core/data/dataset.hpp"
#include "core/rng/stream.hpp"
#include "core/solve/problem.hpp"
#include "record/table.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attest {

/// A small least-squares problem that rounding is hard on.
struct BoundProblem {
    std::string words;  ///< kind and sizes, for people
    Dataset data;
    SolveOptions options;  ///< ridge and norm
};

/// A problem that depends on the stream alone: d = 2 … 4, o = 1 … 3, N below, at and above ψ;
/// tokens that are nearly unitary, nearly dependent, in units far apart, linearly mixed, nearly one
/// token each, or nearly repeated, by a condition of 2¹⁰ … 2⁴²; labels of a random layer with noise
/// of 0 … 1 or nothing but noise; with a ridge in a third of the cases; both norms.
[[nodiscard]] BoundProblem draw_bound_problem(const Stream& stream);

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

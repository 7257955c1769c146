#pragma once

#include "core/data/dataset.hpp"
#include "core/rng/stream.hpp"
#include "core/solve/problem.hpp"

#include <string>

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

}  // namespace attest

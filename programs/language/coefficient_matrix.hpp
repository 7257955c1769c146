#pragma once

#include "programs/language/compile.hpp"

namespace attest {

/// The coefficients as P, ψ×d in Algorithm 2's order, each divided by the common denominator and
/// rounded once. Throws EnvironmentFailure for lack of memory.
[[nodiscard]] Matrix coefficient_matrix(const SparseCoefficients& coefficients);

}  // namespace attest

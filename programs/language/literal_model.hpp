#pragma once

#include "programs/language/compile.hpp"
#include "programs/language/ir.hpp"
#include "programs/language/token.hpp"

namespace attest {

/// The coefficients as P, ψ×d in Algorithm 2's order, each divided by the common denominator and
/// rounded once. Throws EnvironmentFailure for lack of memory.
[[nodiscard]] Matrix coefficient_matrix(const SparseCoefficients& coefficients);

/// Whether the program's dense heads, run as Definitions C.1 and C.2 say, print exactly the tokens
/// of the trace after its prompt: Σ_h V_h Z (Zᵀ Q_h z) in double, which is exact for integers below
/// 2^53. Shares nothing with IntegerAttention but the tokens. O(H d n) for each token after n.
[[nodiscard]] bool literal_model_prints(const Program& program, const Trace& expected);

}  // namespace attest

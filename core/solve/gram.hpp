#pragma once

#include "core/solve/problem.hpp"

namespace attest {

/// Structured second moment and packed Cholesky in double, then refinement: the factor
/// preconditions conjugate gradients on the features, which are never formed. In whitened
/// coordinates where there are tokens and no ridge. Nψ²/2 + ψ³/3 flops and 4Nψo a step, 6ψ² bytes
/// and the moments. Error as of a backward stable solver while cond(H)² < 1/ε; refuses beyond.
[[nodiscard]] LeastSquaresFit fit_gram64(const MomentSource& source, const SolveOptions& options);

/// The same with second moment and factor in single precision, labels, gradients and coefficients
/// in double: half the time and memory, the same error while cond(H)² < 2²⁴; refuses beyond.
[[nodiscard]] LeastSquaresFit fit_gram32(const MomentSource& source, const SolveOptions& options);

}  // namespace attest

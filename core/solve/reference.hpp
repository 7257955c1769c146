#pragma once

#include "core/solve/problem.hpp"

namespace attest {

/// What every other solver is measured against: features formed from the tokens (from S and z where
/// there are none) and normal equations solved by Cholesky, all in 50 decimal digits; the kernel
/// form where N < ψ. About cond(H)²·10⁻⁵⁰ before the last rounding to double; refuses features that
/// 50 digits cannot tell from deficient ones. Nψ²/2 + ψ³/6 operations of about 0.1 µs: ψ ≤ 300.
[[nodiscard]] LeastSquaresFit fit_reference(const MomentSource& source,
                                            const SolveOptions& options);

}  // namespace attest

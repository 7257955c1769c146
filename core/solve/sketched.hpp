#pragma once

#include "core/solve/problem.hpp"

namespace attest {

/// Examples that a sketch has, over ψ: conjugate gradients then gain a factor of √(1/4) a step.
inline constexpr double kSketchedExamples = 4.0;

/// Sketch and precondition (Rokhlin and Tygert 2008; Martinsson and Tropp 2020, §10.5): 4ψ sums of
/// examples, each example with a random sign in eight of them (Nelson and Nguyen 2013), or all
/// examples where they are no more; the factor of its QR preconditions conjugate gradients on all
/// examples. At N ≫ ψ fewer flops than a QR of all examples, more than a second moment. About 8Nψ +
/// 16ψ³ flops, 50 iterations of 4Nψo, 104ψ² bytes and the moments. Coordinates and error as gram64;
/// refuses above a condition of 1e5 or so, where the iteration does not resolve its spread.
[[nodiscard]] LeastSquaresFit fit_sketched(const MomentSource& source, const SolveOptions& options);

}  // namespace attest

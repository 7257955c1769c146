#pragma once

#include "core/algebra/matrix.hpp"

namespace attest {

/// What a residual ratio of a backward stable algorithm stays below: the threshold of LAPACK's own
/// test programs (LAWN 41).
inline constexpr double kRatioBound = 30.0;

/// ‖Hᵀ(Y − H P)‖₁ / (max(N,ψ,o) · ‖H‖₁ ‖Y‖₁ · ε): the normal equations' residual in units of
/// rounding. H is N×ψ, P is ψ×o, Y is N×o. A backward stable least-squares solver keeps it below
/// about 30 (LAPACK's own test programs, LAWN 41 §"Tests for the least squares driver routines"). A
/// NaN anywhere gives NaN.
[[nodiscard]] double least_squares_ratio(const Matrix& H, const Matrix& P, const Matrix& Y);

/// ‖A − B‖₁ / (max(rows,cols) · ‖A‖₁ · ε); ‖B‖₁ when A = 0. A NaN anywhere gives NaN.
[[nodiscard]] double difference_ratio(const Matrix& A, const Matrix& B);

/// γ_m = m·u/(1 − m·u), u = 2⁻⁵³: the relative error of m rounded operations (Higham 2002,
/// lemma 3.1).
[[nodiscard]] double gamma_bound(Index operations);

}  // namespace attest

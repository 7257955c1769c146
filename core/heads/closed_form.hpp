#pragma once

#include "core/heads/fit_target.hpp"
#include "core/rng/stream.hpp"

#include <optional>

namespace attest {

/// Heads read off M(x) = A(x) B(x)ᵀ by linear algebra, with what tells whether they can be trusted.
struct ClosedForm {
    HeadFactors factors;
    double separation = 0.0;  ///< σ_H/σ_1 of M(x₀)
    double rcond = 0.0;       ///< σ_min/σ_max of the system for the inner blocks
    Index nullity = 0;        ///< its numerical null dimension (σ ≤ 1e-10 σ_max); 0: unique
    double residual = 0.0;    ///< ‖p̂ − p‖ / ‖p‖, evaluated from the heads
};

/// Recovers H ≤ min(o, d) heads without iteration: M(x₀) fixes the GL(H) freedom by its SVD, N(x₀,
/// y) = M(x₀ + y) − M(x₀) − M(y) gives the outer blocks of A(y) and B(y), and the inner ones solve
/// a linear system of (d−1)H² unknowns. Exact for dense planted heads with H ≤ d − 2 (o = d). At H
/// = d − 1 the system has a null space of dimension C(d−1, 3) and its least solution is only a
/// start for variable_projection. Empty when M(x₀) has numerical rank below H. O(d⁴H⁴·d(o + d −
/// 2H)H) flops at most.
[[nodiscard]] std::optional<ClosedForm> closed_form_heads(const Matrix& P,
                                                          Index d,
                                                          Index num_heads,
                                                          const Stream& stream);

}  // namespace attest

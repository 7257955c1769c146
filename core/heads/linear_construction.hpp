#pragma once

#include "core/heads/fit_target.hpp"
#include "core/rng/stream.hpp"

namespace attest {

/// Heads for any P without iteration.
struct LinearConstruction {
    HeadFactors factors;
    double rcond = 0.0;     ///< of the system that was solved; 1 for an explicit formula
    double residual = 0.0;  ///< ‖p̂ − p‖ / ‖p‖, evaluated from the heads
    Index draws = 0;        ///< random systems tried
};

/// linear_head_count(d, o) heads for an arbitrary P (ψ×o): symmetric_query_heads when that is
/// d(d+1)/2, unit_value_heads for one output, otherwise (1 < o < d) generic V_h fixed and Q solved
/// for: the better conditioned of up to five draws, the first with 1/cond above 1e-4 ends them.
/// O(ψ·o), or O((o·q)³).
[[nodiscard]] LinearConstruction linear_construction(const Matrix& P,
                                                     Index d,
                                                     const Stream& stream);

/// The system of Q given V, the same for every column l of the Q_h: rows (a, pair), columns (h, c)
/// hold w_bc V_h[a,b], (o·q)×(H·d). Unknowns Q_h[c,l].
[[nodiscard]] Matrix query_design(const Matrix& V, Index d);

}  // namespace attest

#pragma once

#include "core/heads/fit_control.hpp"
#include "core/heads/value_fit.hpp"

#include <vector>

namespace attest {

/// A fit with a fixed number of heads.
struct HeadFit {
    HeadFactors factors;
    double residual = 0.0;        ///< ‖L(p̂ − p)‖ / ‖L p‖ by the last projection
    std::vector<double> history;  ///< residuals of the start and of every accepted step
    Index iterations = 0;         ///< steps tried, rejected ones included
    FitEnd end = FitEnd::iterations;
};

/// Variable projection: Levenberg–Marquardt on the Grassmannian of span{Q_h} with V eliminated
/// (Golub and Pereyra 1973), Kaufman's Jacobian −(I − Π) L C_a(V), the GL(H) directions held by a
/// projector, damping by Nielsen's rule. Starts at the row space of Q (H×d²) and never increases
/// the residual. An iteration costs H²d⁶ + H³d⁶/3 flops to leading order, weighted or not.
[[nodiscard]] HeadFit variable_projection(const FitTarget& target,
                                          const Matrix& Q,
                                          const FitControl& control);

/// Smallest over largest eigenvalue of JᵀJ at a fit, J the projected Jacobian on the tangent space
/// of the Grassmannian: 0 when a direction other than GL(H) leaves the residual's first order
/// unchanged. Positive at an exact fit proves W locally unique, up to rounding. O(H³d⁶).
[[nodiscard]] double tangent_rcond(const FitTarget& target, const HeadFactors& factors);

/// Flops of one iteration and bytes held, for the statement before a run.
struct IterationCost {
    double flops = 0.0;
    double bytes = 0.0;
};

[[nodiscard]] IterationCost variable_projection_cost(const FitTarget& target, Index num_heads);

}  // namespace attest

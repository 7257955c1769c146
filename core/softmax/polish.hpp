#pragma once

#include "core/heads/fit_target.hpp"
#include "core/softmax/attention.hpp"
#include "core/softmax/examples.hpp"

#include <vector>

namespace attest {

/// A least-squares fit of all parameters.
struct SoftmaxFit {
    SoftmaxHeads heads;
    double relative_error = 0.0;  ///< Σ‖Y − Ŷ‖²/Σ‖Y‖² on the training examples
    std::vector<double> history;  ///< of the start and of every accepted step
    Index iterations = 0;         ///< steps tried, rejected ones included
    FitEnd end = FitEnd::iterations;
};

/// The control the pipeline uses: 80 iterations, relative squared error 10⁻²⁶.
[[nodiscard]] FitControl polish_control();

/// Levenberg–Marquardt in the Θ_i with the W_i eliminated by QR (variable projection, Golub and
/// Pereyra 1973, Kaufman's Jacobian). ∂Y_ac/∂Θ_uv = x_au (C_a W)_vc with C_a the covariance of the
/// tokens under p(a). An iteration costs N k d (m d²)² flops to leading order. Ours; not part of
/// the paper's algorithm. Throws InvalidInput when the starts are not d×d.
[[nodiscard]] SoftmaxFit polish(const std::vector<Matrix>& thetas,
                                const SoftmaxExamples& examples,
                                const FitControl& control);

/// The Jacobian's block for one head and output c: d²×(B·k), column r holds x_r ⊗ (C_r W)_c.
[[nodiscard]] Matrix theta_jacobian(const SoftmaxHead& head,
                                    const SoftmaxExamples& examples,
                                    Index c);

}  // namespace attest

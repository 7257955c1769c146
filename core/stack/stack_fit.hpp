#pragma once

#include "core/stack/forward.hpp"

#include <vector>

namespace attest {

/// What a fit asks of the numbers that are read.
enum class StackLoss : std::uint8_t {
    values,  ///< to be the targets: residuals f − y
    signs,   ///< to have their signs, by a margin: residuals max(0, 1 − y f), y = ±1
};

/// What a stack is fitted to: the outputs that are read of each input, one input after the other,
/// as many as there are targets; of the last input they may be a part.
struct StackTargets {
    std::vector<Matrix> inputs;  ///< d×t
    Vector y;
    StackLoss loss = StackLoss::values;
    /// m×s, empty for none: of each s inputs in turn, which have as many outputs o, the o·s
    /// residuals r_k are replaced by the o·m numbers Σ_k mix(j, k)·r_k, j slowest.
    Matrix mix = {};
};

struct StackFitOptions {
    Index steps = 400;
    double enough = 1e-13;  ///< ends at |residuals| ≤ enough·|y|
    /// Ends where so many steps have taken off less than a hundredth of |residuals|.
    Index patience = 60;
};

struct StackFit {
    std::vector<double> parameters;
    double relative = 0.0;  ///< |residuals| / |y|, y mixed as they are
    Index steps = 0;        ///< Levenberg–Marquardt steps tried
};

/// The residuals of a stack, mixed. Throws InvalidInput where inputs, targets and mix do not fit.
[[nodiscard]] Vector residuals(const StackAt<double>& stack, const StackTargets& targets);

/// Levenberg–Marquardt from `start`, with the derivative of core/stack: steps (JᵀJ + μ)⁻¹Jᵀr, μ
/// over 3 where one helps, times 4 where it does not. O(steps·(n·P·min(n, P) + derivatives)).
[[nodiscard]] StackFit fit_stack(StackAt<double> start,
                                 const StackTargets& targets,
                                 const StackFitOptions& options = {});

}  // namespace attest

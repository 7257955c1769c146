#pragma once

#include "core/heads/head_starts.hpp"
#include "core/heads/iterations.hpp"

namespace attest {

/// Effort of a fit with a fixed number of heads.
struct HeadFitOptions {
    Index starts = 6;  ///< at least first_starts, then as start_kind says
    FitControl control;
    Stream stream = Stream(0);
};

/// The best of several variable-projection fits with H heads; stops at the first that meets
/// control.target. The SVD is among the first starts and is evaluated even after an interrupt, so
/// the loss is at most that of refit_values, hence of SVD truncation. Throws EnvironmentFailure
/// when a fit does not fit into memory.
[[nodiscard]] HeadFit fit_heads(const FitTarget& target,
                                Index num_heads,
                                const HeadFitOptions& options);

/// The H strongest heads of Sym W (Algorithm 1's, cut): the loss nobody should pay.
[[nodiscard]] Parameters truncated_heads(const FitTarget& target, Index num_heads);

/// The same Q_h with the V_h that minimise the target's norm: one linear solve.
[[nodiscard]] Parameters refit_values(const FitTarget& target, const Parameters& heads);

/// A fit's factors as balanced heads.
[[nodiscard]] Parameters heads_of(const HeadFit& fit, Index d);

}  // namespace attest

#pragma once

#include "core/softmax/sculpt.hpp"

namespace attest {

struct TrimmedOptions {
    Index rows = 0;     ///< rows of largest margin; 0: max(8d, 0.004·N·k), at most 20 000
    double keep = 0.5;  ///< fraction kept by least trimmed squares
    Index iterations = 10;
};

/// A refined estimate of Σ_i W_i and how well its tokens cover R^d.
struct RefinedSum {
    Matrix W;
    double coverage = 0.0;  ///< σ_min(kept tokens)/√(their number); below 0.3 a direction is unseen
    Index rows = 0;         ///< rows W was fitted to
};

/// The least coverage with which a refined sum can be trusted in every direction.
inline constexpr double kLeastCoverage = 0.3;

/// Third phase: on rows where the proxy Θ̄, the hull's point of least norm, prefers one token j by
/// far, every head does on average, so Y_a ≈ Wᵀ x_j. Takes the rows of largest margin and fits W by
/// least trimmed squares from `start` (ours: a minority of rows has a head that points elsewhere
/// and ruins plain least squares). Doubles the rows up to three times while coverage is below
/// kLeastCoverage. One to four passes, O(N k² d).
[[nodiscard]] RefinedSum refine_by_margin(const SoftmaxSource& source,
                                          const Matrix& proxy,
                                          const Matrix& start,
                                          const TrimmedOptions& options);

struct AnnealingOptions {
    SculptMode mode = SculptMode::full;
    Index rounds = 16;
    double first_fraction = 0.2;  ///< of all rows in the first round
    Index last_rows = 0;          ///< in the last round; 0: 6d²
};

/// The same quantity without a proxy, ours: alternates sculpting with the least squares fit of W to
/// the mixtures found, on ever fewer rows. One pass a round. Better than the margin when distinct
/// rows are few, as in short Boolean sequences.
[[nodiscard]] RefinedSum refine_by_annealing(const SoftmaxSource& source,
                                             const Matrix& start,
                                             const AnnealingOptions& options);

/// Rows whose tokens are all equal: there Y_a = x_aᵀ Σ W exactly. Boolean inputs only, where such
/// rows have probability 2^{−d(k−1)}; ours. Coverage 0 when they do not span R^d. One pass.
[[nodiscard]] RefinedSum anchor_sum(const SoftmaxSource& source);

}  // namespace attest

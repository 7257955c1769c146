#pragma once

#include "core/softmax/candidates.hpp"
#include "core/softmax/hull.hpp"
#include "core/softmax/net_search.hpp"

namespace attest {

struct SignConeOptions {
    Index m = 0;                ///< heads; 0: where the rays' singular values fall the most
    Index most_heads = 5;       ///< that 0 may stand for
    Index rays = 0;             ///< extreme rays to look for; 0: 16 for each head
    double largest_norm = 0.0;  ///< top of the window of ‖Θ_i‖; 0: unknown
};

/// What one-sided constraints ⟨v_t, Θ⟩ ≥ 0 say about the heads: all Θ_i lie in the cone K⁺ that
/// they cut out. Every v is of rank one, and with many of them little but the cone of the Θ_i
/// themselves is left, so that its extreme rays are near the heads. Ours: arXiv 2402.04084 has
/// equations only, which large heads hardly ever give.
struct SignCone {
    Index constraints = 0;
    Index m = 0;
    Matrix rays;         ///< d²×n, unit extreme rays
    Vector sigma;        ///< singular values of the rays, descending
    double gap = 0.0;    ///< σ_m/σ_{m+1}: how clearly the rays span m dimensions
    ThetaHull hull;      ///< the affine hull within that span, from the equations of sculpted rows
    Matrix points;       ///< d²×n', where the rays meet the hull, within the norm window
    bool found = false;  ///< at least m points
};

/// Extreme rays of {Θ : vᵀΘ ≥ 0 for every column v} by maximising random linear functions over its
/// slice Σ_t ⟨v_t, Θ⟩ = const, each a linear program over the columns that cut. Some may coincide.
/// About n·3 programs, O(d⁴) times the cutting columns an iteration.
[[nodiscard]] Matrix extreme_rays(const Matrix& v, Index count);

/// The cone of `v` (saturated_rows); m of the rays' principal directions carry the hull, which the
/// equations of `rows` fix there: m + 1 unknowns where the whole space has d² + 1. Throws
/// InvalidInput unless 0 ≤ m ≤ d².
[[nodiscard]] SignCone sign_cone(const Matrix& v,
                                 const SculptedRows& rows,
                                 const SignConeOptions& options);

struct SignSearchOptions {
    SignConeOptions cone;
    NetOptions net;
    Index rows = 216;  ///< sculpted rows that fix the hull within the rays' span
};

/// The cone with the tuples of its points; both empty where it was not found.
struct SignSearch {
    SignCone cone;
    NetSearch net;
};

/// The last two phases with one-sided constraints, for heads too large to agree anywhere but where
/// they are saturated. Of the candidates' Σ W, refined by their saturated rows, the one under which
/// the most rows look saturated: the better it is, the more do. Six passes for every candidate.
[[nodiscard]] SignSearch search_by_signs(const SoftmaxSource& source,
                                         const std::vector<HullCandidate>& candidates,
                                         const SoftmaxExamples& training,
                                         const SignSearchOptions& options);

}  // namespace attest

#pragma once

#include "core/softmax/hull.hpp"
#include "core/softmax/value_sum.hpp"

#include <optional>
#include <string>
#include <vector>

namespace attest {

struct CandidateOptions {
    Index m = 2;
    double largest_norm = 0.0;     ///< top of the norm window; 0: unknown
    double first_fraction = 0.05;  ///< of all rows in the first sculpting: many, since Ŵ is crude
    Index constraint_factor = 6;   ///< constraints of the last sculpting, in units of d²
    Index rounds = 3;              ///< of sculpting, hull and trimmed refinement
    bool by_margin = true;         ///< candidates from refine_by_margin
    bool by_annealing = true;      ///< candidates from refine_by_annealing
    bool by_anchor = false;        ///< candidate from anchor_sum; Boolean inputs
};

/// A refined Σ W with the hull that re-sculpting with it gives: phases 3 to 5.
struct HullCandidate {
    std::string origin;  ///< "margin 1", "annealing", "anchor"
    SculptMode mode = SculptMode::full;
    RefinedSum sum;
    ThetaHull hull;
    Index constraints = 0;
    bool accepted = false;  ///< found, its complement regular, within the norm window
};

/// Every candidate that the options ask for, starting from the crude estimate W: rounds of
/// sculpting (ever fewer rows), hull, trimmed refinement of W by the hull's least-norm point;
/// annealing; the anchor. Two dozen passes over the source.
[[nodiscard]] std::vector<HullCandidate> hull_candidates(const SoftmaxSource& source,
                                                         const Matrix& W,
                                                         const CandidateOptions& options);

/// The accepted candidate with the largest gap, if any is accepted. The gap is no certificate.
[[nodiscard]] std::optional<std::size_t> best_candidate(
    const std::vector<HullCandidate>& candidates);

/// The number of heads that accepted candidates show: the largest j ≤ 5 with gap_for(hull, j) ≥ 3
/// in the one whose widest gap, at any j ≤ 5, is the widest of all; 0 if there is none.
[[nodiscard]] Index heads_seen(const std::vector<HullCandidate>& candidates);

}  // namespace attest

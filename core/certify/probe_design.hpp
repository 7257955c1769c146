#pragma once

#include "core/data/dataset.hpp"
#include "core/exact/scalars.hpp"

#include <vector>

namespace attest {

/// Inputs to ask a black box whose features determine the layer, and how well they do.
struct ProbeDesign {
    Dataset queries;  ///< without labels; as many as `rank`
    Index psi = 0;
    Index rank = 0;  ///< of the queries' features: that of the features of all inputs, so that
                     ///< every layer with the box's answers is one function
    std::vector<Integer>
        divisors;  ///< elementary divisors of the features times the rows' powers of the layer's
                   ///< denominators; all 1: integer answers have integer coefficients
};

/// ψ inputs of two tokens with entries 0 and 1 for the paper's layer: [0, e_l], [e_j, e_l] for j ≠
/// l and [e_j + e_k, e_l] for j < k. The determinant of their features is ±1 for every d
/// (docs/probe.md; the teaching set of proofs_check).
[[nodiscard]] Dataset teaching_queries(Index d);

/// Those, or for another layer inputs chosen one by one among short ones with entries −1 … 2 until
/// their rank is the structural rank. `width`: entries of x, for `cross`. Throws NotAvailable for
/// layers whose inputs are not for us to choose (gates, mapped, moments), where the structural rank
/// is not known exactly, and where the candidates do not reach it. ψ ≤ 600.
[[nodiscard]] ProbeDesign probe_design(const Layer& layer, Index d, Index width);

/// tr (HᵀH)⁺ over the features of these queries, which have rank `rank` of ψ: where the answers
/// carry independent noise of standard deviation S, least squares of least norm errs by S²·o·that
/// in E‖P̂ − P‖²_F, P being the coefficients modulo those that vanish on every input; S²·o·tr(Λ⁻¹)/N
/// where the rank is ψ. Floating point. Infinite where H is of a smaller rank. Throws InvalidInput
/// for more queries than rank < ψ.
[[nodiscard]] double noise_factor(const Dataset& queries, Index rank);

}  // namespace attest

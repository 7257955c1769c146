#pragma once

#include "core/data/dataset.hpp"
#include "core/exact/scalars.hpp"

#include <cstdint>
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

/// They take nearly all of the time, and say nothing of queries that are exchanged afterwards.
enum class DivisorsOfDesign : std::uint8_t { find, leave_out };

/// Those, or for another layer inputs chosen one by one among short ones with entries −1 … 2 until
/// their rank is the structural rank. `width`: entries of x, for `cross`. Throws NotAvailable for
/// layers whose inputs are not for us to choose (gates, mapped, moments), where the structural rank
/// is not known exactly, and where the candidates do not reach it. ψ ≤ 600.
[[nodiscard]] ProbeDesign probe_design(const Layer& layer,
                                       Index d,
                                       Index width,
                                       DivisorsOfDesign divisors = DivisorsOfDesign::find);

/// tr (HᵀH)⁺ over the features of these queries, which have rank `rank` of ψ: where the answers
/// carry independent noise of standard deviation S, least squares of least norm errs by S²·o·that
/// in E‖P̂ − P‖²_F, P being the coefficients modulo those that vanish on every input; S²·o·tr(Λ⁻¹)/N
/// where the rank is ψ. Floating point. Infinite where H is of a smaller rank. Throws InvalidInput
/// for more queries than rank < ψ.
[[nodiscard]] double noise_factor(const Dataset& queries, Index rank);

/// Queries under noise: as many as before, with less of it in P.
struct QuieterQueries {
    Dataset queries;
    double before = 0.0;  ///< noise_factor of the start
    double factor = 0.0;  ///< their own, at most that
    Index exchanged = 0;  ///< queries that are not the start's
};

/// Exchanges queries for candidates while tr (HᵀH)⁺ falls (A-optimality), by excursions (Mitchell
/// 1974): L candidates come in, each the one that lowers the trace most, then L queries go, each
/// the one whose leaving raises it least; L = r, r/2, …, 1. `start` are r queries of rank r, and
/// the features of the candidates, of the same layer, lie in their span: r is the structural rank.
/// Never worse than `start`, which is returned where nothing is gained. O(r·candidates) for each
/// step, some ten r steps; NotAvailable where r²·candidates exceeds 5·10⁸. Floating point.
[[nodiscard]] QuieterQueries quieter_queries(const Dataset& start, const Dataset& candidates);

/// Short inputs, the simplest first: at most one token besides the one that asks, at every distance
/// that the layer's weights tell apart, with zeros between; entries −1 … 2, up to three of them not
/// 0. Throws InvalidInput where these are more than 100000.
[[nodiscard]] Dataset probe_candidates(const Layer& layer, Index d, Index width);

/// Inputs of two tokens for the paper's layer, none the negative of another, with entries −1, 0 and
/// 1, up to two of them not 0 in a token.
[[nodiscard]] Dataset two_token_candidates(Index d);

}  // namespace attest

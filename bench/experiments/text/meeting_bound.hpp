#pragma once

#include "bench/experiments/text/spans.hpp"
#include "core/exact/null_space.hpp"

namespace attest {

/// What few meetings leave of the rank of the cubic features of N sequences. A type *meets* a query
/// if it stands in a sequence that asks it. Let r = rank{queries}, U the span of pack(e eᵀ) over
/// the types e that meet r queries or more, and c the counts of all other types. Modulo U a state
/// is Σ c_e pack(e eᵀ), so that
///   rank H ≤ r·dim U + Σ_z rank{c of the sequences that ask z}.
struct MeetingBound {
    Index few = 0;   ///< types that meet fewer than r queries
    Index rank = 0;  ///< the bound, proved over Q
};

/// `rank_of_queries` is r or more. `data` has whole sequences of tokens on a grid of 2⁻¹⁰.
[[nodiscard]] MeetingBound meeting_bound(const Dataset& data,
                                         const TokenTypes& tokens,
                                         Index rank_of_queries,
                                         const LiftOptions& effort = {});

}  // namespace attest

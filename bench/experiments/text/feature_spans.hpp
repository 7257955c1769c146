#pragma once

#include "bench/experiments/text/rational_span.hpp"
#include "core/data/dataset.hpp"

namespace attest {

/// What bounds the rank of the cubic features of sequences of one length: with token types e,
/// states s = Σ pack(e eᵀ) and queries z, rank H ≤ rank{s}·rank{z} ≤ rank{pack(e eᵀ)}·rank{z}, as s
/// ⊗ z lies in the tensor product of both spans, and s in the types'.
struct FeatureSpans {
    Index num_types = 0;     ///< different tokens
    RankBounds types;        ///< of pack(e eᵀ) over them
    RankBounds states;       ///< of pack(Z Zᵀ)
    RankBounds queries;      ///< of the last tokens
    Index few_meetings = 0;  ///< types that meet fewer than rank{queries} queries
                             ///< (meeting_bound.hpp); 0 where the product decides
    RankBounds features;  ///< upper: the product, N or few meetings; else, where a prime is within
                          ///< the effort, null vectors of products that span the others

    /// The law's bound.
    [[nodiscard]] Index product() const { return types.upper * queries.upper; }
};

/// `data` has the paper's layer, no labels per prefix, and tokens on a grid of 2⁻¹⁰.
/// `effort` is what null vectors may cost.
[[nodiscard]] FeatureSpans feature_spans(const Dataset& data, const LiftOptions& effort = {});

}  // namespace attest

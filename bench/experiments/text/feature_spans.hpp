#pragma once

#include "core/data/dataset.hpp"
#include "core/exact/null_space.hpp"

namespace attest {

/// A rank over Q between two proved bounds.
struct RankBounds {
    Index lower = 0;  ///< by pivots modulo a prime
    Index upper = 0;  ///< by the number of rows and columns, or by verified null vectors

    [[nodiscard]] bool is_exact() const { return lower == upper; }
};

/// The rank of a matrix of doubles that are multiples of 2⁻³⁰ below 2³⁰, over Q.
[[nodiscard]] RankBounds rational_rank_bounds(const Matrix& rows);

/// What bounds the rank of the cubic features of sequences of one length: with token types e,
/// states s = Σ pack(e eᵀ) and queries z, rank H ≤ rank{s}·rank{z} ≤ rank{pack(e eᵀ)}·rank{z}, as s
/// ⊗ z lies in the tensor product of both spans, and s in the types'.
struct FeatureSpans {
    Index num_types = 0;  ///< different tokens
    RankBounds types;     ///< of pack(e eᵀ) over them
    RankBounds states;    ///< of pack(Z Zᵀ)
    RankBounds queries;   ///< of the last tokens
    RankBounds features;  ///< upper: the product or N; else null vectors of the products of states
                          ///< and queries that span the others

    /// The law's bound.
    [[nodiscard]] Index product() const { return types.upper * queries.upper; }
};

/// `data` has the paper's layer, no labels per prefix, and tokens on a grid of 2⁻¹⁰.
/// `effort` is what null vectors may cost.
[[nodiscard]] FeatureSpans feature_spans(const Dataset& data, const LiftOptions& effort = {});

}  // namespace attest

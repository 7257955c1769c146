#pragma once

#include "core/algebra/matrix.hpp"
#include "core/data/dataset.hpp"
#include "core/exact/modulus.hpp"
#include "core/exact/null_space.hpp"

#include <vector>

namespace attest {

/// The span of rows of small integers, grown one by one. Decided modulo a prime of 61 bits: exact
/// while every minor of the rows is below it in size, as are those of rows of at most 38 numbers
/// that are not negative with sum 3 (Hadamard: 3³⁸ < 2⁶¹ − 1).
class CountSpan {
public:
    explicit CountSpan(Index columns) : columns_(columns) {}

    /// Whether the row is a combination of those added. O(columns · rank).
    [[nodiscard]] bool contains(const std::vector<Index>& row) const;

    void add(const std::vector<Index>& row);

    [[nodiscard]] Index rank() const { return static_cast<Index>(echelon_.size()); }

    /// How many of the rows added are no combination of all the others.
    [[nodiscard]] Index outside() const;

private:
    using Residues = std::vector<Residue>;

    struct EchelonRow {
        Index pivot = 0;
        Residues entries;      ///< 1 at the pivot, 0 at the pivots before
        Residues combination;  ///< of the independent rows added
    };

    /// What is left of a row, and what was taken off, in multiples of the echelon.
    struct Reduction {
        Residues rest;
        Residues factors;
    };

    [[nodiscard]] Reduction reduce(const std::vector<Index>& row) const;

    Modulus p_;
    Index columns_;
    std::vector<EchelonRow> echelon_;
    std::vector<bool> is_combination_;  ///< of the independent rows added
};

/// A rank over Q between two proved bounds.
struct RankBounds {
    Index lower = 0;  ///< by pivots modulo a prime
    Index upper = 0;  ///< by the number of rows and columns, or by verified null vectors

    [[nodiscard]] bool is_exact() const { return lower == upper; }
};

/// Columns that span all others, over Q where the rank is exact.
struct ColumnSpan {
    RankBounds rank;
    std::vector<Index> pivots;  ///< ascending
};

/// Of a matrix of doubles that are multiples of 2⁻³⁰ below 2³⁰. `effort` is what null vectors may
/// cost. A matrix without rows or columns has rank 0. Throws InvalidInput for other numbers.
[[nodiscard]] ColumnSpan column_span(const Matrix& rows, const LiftOptions& effort = {});

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

/// The different tokens of a data set, numbered in an order of their own.
struct TokenTypes {
    std::vector<Vector> types;
    std::vector<Index> of;  ///< of each column of Dataset::tokens

    [[nodiscard]] Index count() const { return std::ssize(types); }
};

[[nodiscard]] TokenTypes token_types(const Eigen::Ref<const Matrix>& tokens);

/// pack(e eᵀ) of the types listed, one a row.
[[nodiscard]] Matrix packed_squares(const TokenTypes& tokens, const std::vector<Index>& listed);

}  // namespace attest

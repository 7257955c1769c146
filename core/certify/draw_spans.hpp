#pragma once

#include "core/certify/exact_features.hpp"

#include <optional>
#include <vector>

namespace attest {

/// Random vectors x with Σ_i x_i H_i = 0 over the rows of some draws.
struct LeftNullVectors {
    std::vector<Index> pivot_rows;  ///< ascending
    ModularMatrix entries;          ///< at the pivot rows, a column each vector
};

/// The features of a data set's draws (whole sequences) modulo the profile's prime, at the pivot
/// columns: rows depend on one another there as they do on all columns. The data must outlive it.
class DrawSpans {
public:
    DrawSpans(const SequenceSource& data, const RankProfile& profile);

    [[nodiscard]] const Modulus& modulus() const { return p_; }

    [[nodiscard]] Index rank() const { return std::ssize(columns_); }

    [[nodiscard]] Index num_draws() const { return std::ssize(first_rows_) - 1; }

    [[nodiscard]] Index num_rows() const { return std::ssize(draw_of_row_); }

    [[nodiscard]] Index num_rows_of(Index draw) const {
        return first_row_of(draw + 1) - first_row_of(draw);
    }

    [[nodiscard]] Index first_row_of(Index draw) const {
        return first_rows_[static_cast<std::size_t>(draw)];
    }

    [[nodiscard]] Index draw_of_row(Index row) const {
        return draw_of_row_[static_cast<std::size_t>(row)];
    }

    /// Independent rows of the members, as many as the rank: proved over Q too. None if the members
    /// have fewer. O(N·(features + rank) + rank³).
    [[nodiscard]] std::optional<std::vector<Index>> pivot_rows(
        const std::vector<bool>& members) const;

    /// `count` vectors over the rows of the members: free_entry at all but the pivot rows A, and
    /// there the X with AᵀX = −BᵀF for the other rows B. O(rows·rank·count + rank³).
    [[nodiscard]] LeftNullVectors left_null_vectors(const std::vector<bool>& members,
                                                    std::vector<Index> pivots,
                                                    Index count) const;

    /// The entries of these vectors at the rows of a draw, a column each vector.
    [[nodiscard]] ModularMatrix entries_at(const LeftNullVectors& null, Index draw) const;

private:
    /// Rows of some draws, with their numbers.
    struct NumberedRows {
        std::vector<Index> numbers;
        ModularMatrix rows;
    };

    [[nodiscard]] NumberedRows block(Index b, const std::vector<bool>& members) const;
    [[nodiscard]] ModularMatrix free_entries(const std::vector<Index>& rows, Index count) const;

    FeatureRows rows_;
    Modulus p_;
    std::vector<Index> columns_;
    std::vector<Index> draw_of_row_;
    std::vector<Index> first_rows_;  ///< of every draw, then their number
};

}  // namespace attest

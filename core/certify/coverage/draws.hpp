#pragma once

#include "core/certify/rank/exact_features.hpp"
#include "core/certify/rank/exact_rank.hpp"
#include "core/rng/stream.hpp"

#include <optional>
#include <vector>

namespace attest {

/// Random vectors x with Σ_i x_i H_i = 0 over the rows of some draws.
struct LeftNullVectors {
    std::vector<Index> pivot_rows;  ///< ascending
    ModularMatrix entries;          ///< at the pivot rows, a column each vector
};

/// The features of a data set's draws (whole sequences) modulo the profile's prime, at the pivot
/// columns: rows depend on one another there as they do on all columns. They are formed once where
/// 8·rows·rank bytes are at most a quarter of the memory, else whenever they are asked for. The
/// data must outlive it.
class DrawSpans {
public:
    /// `profile` is that of `data`.
    DrawSpans(const SequenceSource& data, RankProfile profile);

    [[nodiscard]] const Modulus& modulus() const { return p_; }

    [[nodiscard]] const RankProfile& profile() const { return profile_; }

    [[nodiscard]] Index rank() const { return profile_.rank(); }

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

    [[nodiscard]] ModularMatrix formed_block(Index b) const;
    [[nodiscard]] NumberedRows block(Index b, const std::vector<bool>& members) const;
    [[nodiscard]] ModularMatrix free_entries(const std::vector<Index>& rows, Index count) const;

    FeatureRows rows_;
    RankProfile profile_;
    Modulus p_;
    std::vector<ModularMatrix> kept_;  ///< every block; empty where they take too much memory
    std::vector<Index> draw_of_row_;
    std::vector<Index> first_rows_;  ///< of every draw, then their number
};

/// ln P[a uniform subset of m of n things holds s given ones], −∞ for s > m. 0 ≤ m ≤ n, s ≤ n.
/// O(s).
[[nodiscard]] double log_share_holding(Index n, Index m, Index s);

/// How many draws (whole sequences) are not determined by all others: no left null vector of the
/// features gives their rows arbitrary weights. Modulo a prime: never too few, too many but for a
/// chance of rank/prime. None where sequences of labelled prefixes are so long that it would take
/// more than 2·10⁹ products, rows·rank·length.
[[nodiscard]] std::optional<Index> draws_outside(const DrawSpans& spans);

/// Of each of these sizes (descending, below N): ln of an estimate of the share among all subsets
/// of so many draws of those that span what all draws do; −∞ for 0. Estimates have the share as
/// their mean over `stream`, or less where a prime is unlucky. Each is the mean of `chains` walks:
/// from a set that spans all to a smaller one that holds those of its draws that the others of the
/// set do not determine, and is else uniform; the weight is the share of subsets that hold them.
/// O(N·(features + rank) + rank³) for each step of each walk.
[[nodiscard]] std::vector<double> spanning_log_shares(const DrawSpans& spans,
                                                      const std::vector<Index>& sizes,
                                                      Index chains,
                                                      const Stream& stream);

}  // namespace attest

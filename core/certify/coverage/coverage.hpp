#pragma once

#include "core/certify/rank/exact_rank.hpp"
#include "core/data/dataset.hpp"
#include "core/rng/stream.hpp"

#include <optional>
#include <vector>

namespace attest {

/// How much of the future the data determine, whatever the law: an example is *determined* if its
/// features lie in the span of the data's. Draws are whole sequences; a sequence of labelled
/// prefixes is determined if every prefix is.
struct Coverage {
    Index draws = 0;        ///< N
    Index rank = 0;         ///< of the features, or what is proved to bound it
    double expected = 1.0;  ///< P[a fresh draw is not determined], over data and draw, is at most
                            ///< E[rank]/(N+1) for exchangeable draws; here ψ/(N+1)
    double confidence = 0.0;
    double at_most = 1.0;  ///< with this confidence over the data, of independent draws from one
                           ///< law, the probability that a fresh one is not determined; 1: no bound
    std::optional<Index> outside;  ///< at most so many draws are not determined by all others
};

/// The bounds of docs/certificates.md: of N + 1 exchangeable draws at most rank lie outside the
/// span of the others; and the span is a stable compression scheme, so that with confidence 1 − δ
/// at most the ε with Σ_m w_m s_m (1 − ε)^(m − N) = 1/δ, s_m the share of m-subsets of the draws
/// that span what all do. s_m is estimated without bias, by a stream of its own; where the rank is
/// not proved, it is the least for rank_upper. `outside` by draws_outside. `rank` is
/// certify_rank(data), 0 < confidence < 1. Floating point but for ranks and counts.
[[nodiscard]] Coverage coverage(const SequenceSource& data,
                                const ExactRank& rank,
                                double confidence);

[[nodiscard]] inline Coverage coverage(const Dataset& data,
                                       const ExactRank& rank,
                                       double confidence) {
    return coverage(SequencesInMemory(data), rank, confidence);
}

/// That ε where any `rank` of the N draws span what all do, which share s_m is least: for rank and
/// more independent draws it holds before they are seen. 1 for N ≤ rank.
[[nodiscard]] double coverage_bound(Index draws, Index rank, double confidence);

/// The fewest draws for which `coverage_bound`, with rank psi, is at most `open`, 0 < open < 1;
/// 2⁶⁰ where they are more.
[[nodiscard]] Index draws_for_coverage(Index psi, double open, double confidence);

/// How the rank of the features grows while a data set's draws, whole sequences, come in a random
/// order.
struct RankGrowth {
    std::vector<Index> ranks;  ///< after 0, 1, …, N draws

    [[nodiscard]] Index num_draws() const { return std::ssize(ranks) - 1; }

    [[nodiscard]] Index rank() const { return ranks.back(); }

    /// Draws after which the rank no longer grows.
    [[nodiscard]] Index reached_at() const;
};

/// Modulo a prime of 61 bits: lower bounds of the ranks over Q, and those but for a chance of about
/// N·2⁻⁶⁰. One elimination in blocks, which is all where every example is independent, and else one
/// an order, row by row, some five times as long: O(N ψ r) each.
[[nodiscard]] std::vector<RankGrowth> rank_growth(const Dataset& data,
                                                  Index orders,
                                                  const Stream& stream);

/// Of the first 0, 1, …, N draws, how many those before them leave undetermined, in the mean over
/// the orders. For exchangeable draws the expected difference of entries k + 1 and k is the
/// probability that a fresh draw is not determined by k others.
[[nodiscard]] std::vector<double> mean_outside(const std::vector<RankGrowth>& growths);

}  // namespace attest

#pragma once

#include "core/certify/exact_rank.hpp"
#include "core/rng/stream.hpp"

#include <optional>
#include <vector>

namespace attest {

/// ln P[a uniform subset of m of n things holds s given ones], −∞ for s > m. 0 ≤ m ≤ n, s ≤ n.
/// O(s).
[[nodiscard]] double log_share_holding(Index n, Index m, Index s);

/// How many draws (whole sequences) are not determined by all others: no left null vector of the
/// features gives their rows arbitrary weights. Modulo a prime: never too few, too many but for a
/// chance of rank/prime. `profile` is that of `data`. None where sequences of labelled prefixes are
/// so long that it would take more than 2·10⁹ products, rows·rank·length.
[[nodiscard]] std::optional<Index> draws_outside(const SequenceSource& data,
                                                 const RankProfile& profile);

/// Of each of these sizes (descending, below N): ln of an estimate of the share among all subsets
/// of so many draws of those that span what all draws do; −∞ for 0. Estimates have the share as
/// their mean over `stream`, or less where a prime is unlucky. Each is the mean of `chains` walks:
/// from a set that spans all to a smaller one that holds those of its draws that the others of the
/// set do not determine, and is else uniform; the weight is the share of subsets that hold them.
/// O(N·(features + rank) + rank³) for each step of each walk.
[[nodiscard]] std::vector<double> spanning_log_shares(const SequenceSource& data,
                                                      const RankProfile& profile,
                                                      const std::vector<Index>& sizes,
                                                      Index chains,
                                                      const Stream& stream);

}  // namespace attest

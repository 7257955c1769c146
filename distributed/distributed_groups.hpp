#pragma once

#include "core/certify/rank/grouped_rank.hpp"
#include "distributed/shards.hpp"

namespace attest {

/// certify_grouped_rank over all ranks' examples, without null vectors: every rank knows which
/// example is in which group, and the states of a group are eliminated by all ranks together.
/// Collective, after read_own_blocks. Throws AgreedFailure for other layers than the paper's and
/// for prefixes.
[[nodiscard]] GroupedRank distributed_grouped_rank(const Communicator& ranks,
                                                   const ShardedData& data);

/// Bytes this takes on one rank at its peak, beside its examples: those of a group once more, their
/// elimination, and who is in which group.
[[nodiscard]] double grouped_rank_bytes(const ShardTable& table, const BlockPartition& partition);

}  // namespace attest

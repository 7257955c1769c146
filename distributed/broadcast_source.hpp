#pragma once

#include "distributed/shards.hpp"

namespace attest {

/// The examples of all ranks as a source without labels, on every rank. Unlike other sources'
/// blocks these are collective: all ranks ask for the same blocks in the same order, from one
/// thread. Their owner sends them. What it refers to must outlive it.
class BroadcastSource final : public MomentSource {
public:
    BroadcastSource(const Communicator& ranks,
                    const ShardedData& data,
                    const std::vector<MomentBatch>& moments)
        : ranks_(ranks), data_(data), moments_(moments) {}

    [[nodiscard]] SourceShape shape() const override;
    [[nodiscard]] MomentBatch block(Index b) const override;

private:
    const Communicator& ranks_;
    const ShardedData& data_;
    const std::vector<MomentBatch>& moments_;
};

}  // namespace attest

#pragma once

#include "core/data/sources/moments.hpp"
#include "distributed/agreement.hpp"
#include "distributed/tree_sum.hpp"

#include <string>
#include <vector>

namespace attest {

/// Consecutive sequences of one shard: about 1024 examples. Blocks depend on the files alone.
struct ShardBlock {
    Index shard = 0;
    Index first_sequence = 0;
    Index num_sequences = 0;
    Index num_examples = 0;
};

/// The data sets in several files as one, in the order of the files: what their headers say.
struct ShardTable {
    std::vector<std::string> paths;
    Layer layer;  ///< what reads the examples: any whose features are all products of s and u
    LayerInput input;
    Index o = 0;  ///< 0 without labels
    LabelKind labels = LabelKind::none;
    Index num_tokens = 0;
    Index num_examples = 0;
    Index num_inputs = 0;     ///< numbers of tokens and of what the layer reads beside them
    Index largest_block = 0;  ///< numbers of inputs and labels
    Index largest_index = 0;  ///< sequences of a shard
    std::vector<ShardBlock> blocks;

    [[nodiscard]] SourceShape shape() const {
        return {layout_of(layer, input), o, num_examples, std::ssize(blocks)};
    }
};

/// Rank 0 reads the headers and tells the others; collective. Throws AgreedFailure of the first
/// shard that is absent, corrupt, or of other sizes or labels than the first, and for layers of
/// degrees, whose features are some of the products only.
[[nodiscard]] ShardTable read_shard_table(const Communicator& ranks,
                                          const std::vector<std::string>& paths,
                                          const Layer& layer);

/// The blocks of one rank in memory, and who has the others.
struct ShardedData {
    ShardTable table;
    BlockPartition partition;
    std::vector<Dataset> own;  ///< a data set for each of the rank's blocks, in order
    Index first_own = 0;       ///< number of the first of them
    Index first_example = 0;   ///< number of its first example
    Index own_examples = 0;
};

/// Who has what, nothing read yet.
[[nodiscard]] ShardedData shared_out(const Communicator& ranks, ShardTable table);

/// Every rank opens the shards that hold its blocks, one after the other, and reads these ranges;
/// who has the first block of a shard goes through the rest of it too, for its CRC. Collective.
void read_own_blocks(const Communicator& ranks, ShardedData& data);

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

#include "distributed/shards.hpp"

#include "core/base/text.hpp"
#include "core/data/shards.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace attest {

namespace {

constexpr Index kBlockExamples = 1024;

/// Examples of sequences first … last−1.
Index examples_between(const ShardIndex& shard, Index first, Index last) {
    return shard.layout.labels == LabelKind::per_prefix ? shard.token(last) - shard.token(first)
                                                        : last - first;
}

/// Numbers of their tokens and of what the layer reads beside them.
Index inputs_between(const ShardIndex& shard, Index first, Index last) {
    const Index tokens = shard.token(last) - shard.token(first);
    Index count = shard.layout.d * tokens;
    for (const auto& [key, rows] : shard.layout.columns) {
        count += rows * (column_key(key).of_tokens ? tokens : examples_between(shard, first, last));
    }
    return count;
}

/// Whole sequences with at least kBlockExamples examples, but for the last block.
void append_blocks(ShardTable& table, Index number, const ShardIndex& shard) {
    const Index sequences = shard.layout.num_sequences;
    Index begin = 0;
    for (Index i = 1; i <= sequences; ++i) {
        const Index count = examples_between(shard, begin, i);
        if (count >= kBlockExamples || i == sequences) {
            table.blocks.push_back({number, begin, i - begin, count});
            table.largest_block = std::max(
                table.largest_block, inputs_between(shard, begin, i) + shard.layout.o * count);
            begin = i;
        }
    }
}

void read_headers(ShardTable& table) {
    require(!table.paths.empty(), "no shard is named");
    DatasetLayout first;
    for (std::size_t s = 0; s < table.paths.size(); ++s) {
        const ShardIndex shard = read_shard_index(table.paths[s], table.layer);
        if (s == 0) {
            first = shard.layout;
        }
        require_agreement(shard.path, shard.layout, table.paths.front(), first);
        append_blocks(table, static_cast<Index>(s), shard);
        table.num_tokens += shard.layout.num_tokens;
        table.num_inputs += inputs_between(shard, 0, shard.layout.num_sequences);
        table.largest_index = std::max(table.largest_index, shard.layout.num_sequences);
    }
    table.input = first.layer_input();
    table.o = first.o;
    table.labels = first.labels;
    for (const ShardBlock& block : table.blocks) {
        table.num_examples += block.num_examples;
    }
    if (!layout_of(table.layer, table.input).is_full()) {
        throw NotAvailable(formatted("layer {}: is not spread over ranks; take attest learn",
                                     to_string(table.layer)));
    }
}

/// The table as numbers, all but the paths and the layer.
std::vector<Index> numbers_of(const ShardTable& table) {
    std::vector<Index> numbers{table.input.d,
                               table.input.x,
                               table.input.phi,
                               table.input.state,
                               table.input.query,
                               table.o,
                               static_cast<Index>(table.labels),
                               table.num_tokens,
                               table.num_examples,
                               table.num_inputs,
                               table.largest_block,
                               table.largest_index};
    for (const ShardBlock& block : table.blocks) {
        numbers.insert(
            numbers.end(),
            {block.shard, block.first_sequence, block.num_sequences, block.num_examples});
    }
    return numbers;
}

ShardTable table_of(const std::vector<Index>& numbers,
                    std::vector<std::string> paths,
                    const Layer& layer) {
    ShardTable table{std::move(paths),
                     layer,
                     {numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]},
                     numbers[5],
                     static_cast<LabelKind>(numbers[6]),
                     numbers[7],
                     numbers[8],
                     numbers[9],
                     numbers[10],
                     numbers[11],
                     {}};
    for (std::size_t at = 12; at + 3 < numbers.size(); at += 4) {
        table.blocks.push_back({numbers[at], numbers[at + 1], numbers[at + 2], numbers[at + 3]});
    }
    return table;
}

/// The sequences of a block.
Dataset block_of(ShardReader& reader, const ShardIndex& shard, const ShardBlock& block) {
    const Index last = block.first_sequence + block.num_sequences;
    Dataset part = reader.read(shard.whole(block.first_sequence, last));
    if (!shard.query.empty()) {
        part.query.assign(shard.query.begin() + block.first_sequence, shard.query.begin() + last);
    }
    return part;
}

void require_same_file(const ShardTable& table, const ShardIndex& shard, const ShardBlock& end) {
    const Index last = end.first_sequence + end.num_sequences;
    require(shard.layout.d == table.input.d && shard.layout.o == table.o &&
                layout_of(table.layer, shard.layout.layer_input()) == table.shape().layout &&
                shard.layout.labels == table.labels && shard.layout.num_sequences == last &&
                examples_between(shard, end.first_sequence, last) == end.num_examples,
            "{}: is another file here than on rank 0; give all ranks the same files",
            shard.path);
}

}  // namespace

ShardTable read_shard_table(const Communicator& ranks,
                            const std::vector<std::string>& paths,
                            const Layer& layer) {
    ShardTable table;
    table.paths = paths;
    table.layer = layer;
    together(ranks, [&] {
        if (ranks.rank() == 0) {
            read_headers(table);
        }
    });
    std::vector<Index> numbers = numbers_of(table);
    std::array<Index, 1> length{std::ssize(numbers)};
    ranks.broadcast(length, 0);
    numbers.resize(static_cast<std::size_t>(length[0]));
    ranks.broadcast(std::span<Index>(numbers), 0);
    return table_of(numbers, paths, layer);
}

ShardedData shared_out(const Communicator& ranks, ShardTable table) {
    ShardedData data;
    data.table = std::move(table);
    data.partition = partition_blocks(std::ssize(data.table.blocks), ranks.size());
    data.first_own = data.partition.first(ranks.rank());
    const Index last = data.partition.last(ranks.rank());
    for (Index b = 0; b < last; ++b) {
        const Index count = data.table.blocks[static_cast<std::size_t>(b)].num_examples;
        (b < data.first_own ? data.first_example : data.own_examples) += count;
    }
    return data;
}

void read_own_blocks(const Communicator& ranks, ShardedData& data) {
    const std::vector<ShardBlock>& blocks = data.table.blocks;
    const auto shard_of = [&](Index b) { return blocks[static_cast<std::size_t>(b)].shard; };
    const Index last = data.partition.last(ranks.rank());
    together(ranks, [&] {
        for (Index b = data.first_own; b < last;) {
            const Index number = shard_of(b);
            Index end = b;  // of the shard's blocks, of whatever rank
            while (end < std::ssize(blocks) && shard_of(end) == number) {
                ++end;
            }
            const ShardIndex shard = read_shard_index(
                data.table.paths[static_cast<std::size_t>(number)], data.table.layer);
            require_same_file(data.table, shard, blocks[static_cast<std::size_t>(end) - 1]);
            // Who has a shard's first block reads all of it once, and so checks every number and
            // the CRC for all ranks; the others read the ranges of their own blocks.
            const bool checks = b == 0 || shard_of(b - 1) != number;
            ShardReader reader(
                shard, data.table.layer, checks ? MemberCheck::to_do : MemberCheck::done);
            const Index own = std::min(end, last);
            for (; b < own; ++b) {
                data.own.push_back(block_of(reader, shard, blocks[static_cast<std::size_t>(b)]));
            }
            for (Index other = own; checks && other < end; ++other) {
                (void)block_of(reader, shard, blocks[static_cast<std::size_t>(other)]);
            }
        }
    });
}

namespace {

std::span<double> entries(Matrix& A) {
    return {A.data(), static_cast<std::size_t>(A.size())};
}

}  // namespace

SourceShape BroadcastSource::shape() const {
    SourceShape shape = data_.table.shape();
    shape.o = 0;
    return shape;
}

MomentBatch BroadcastSource::block(Index b) const {
    const SourceShape all = shape();
    const Index owner = data_.partition.owner(b);
    const Index count = data_.table.blocks[static_cast<std::size_t>(b)].num_examples;
    MomentBatch batch{Matrix(all.q(), count), Matrix(all.m(), count), Matrix(0, count)};
    if (owner == ranks_.rank()) {
        const MomentBatch& mine = moments_[static_cast<std::size_t>(b - data_.first_own)];
        batch.S = mine.S;
        batch.u = mine.u;
    }
    ranks_.broadcast(entries(batch.S), owner);
    ranks_.broadcast(entries(batch.u), owner);
    return batch;
}

}  // namespace attest

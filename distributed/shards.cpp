#include "distributed/shards.hpp"

#include "core/base/text.hpp"
#include "core/data/dataset_file.hpp"
#include "core/data/shard.hpp"
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

/// Whole sequences with at least kBlockExamples examples, but for the last block.
void append_blocks(std::vector<ShardBlock>& blocks, Index number, const ShardIndex& shard) {
    const Index sequences = shard.layout.num_sequences;
    Index begin = 0;
    for (Index i = 1; i <= sequences; ++i) {
        const Index count = examples_between(shard, begin, i);
        if (count >= kBlockExamples || i == sequences) {
            blocks.push_back({number, begin, i - begin, count});
            begin = i;
        }
    }
}

void read_headers(ShardTable& table) {
    require(!table.paths.empty(), "no shard is named");
    DatasetLayout first;
    for (std::size_t s = 0; s < table.paths.size(); ++s) {
        const ShardIndex shard = read_shard_index(table.paths[s], {});
        if (s == 0) {
            first = shard.layout;
        }
        require_agreement(shard.path, shard.layout, table.paths.front(), first);
        append_blocks(table.blocks, static_cast<Index>(s), shard);
        table.num_tokens += shard.layout.num_tokens;
        const double bytes = reading_bytes(NpzReader::open(shard.path), {});
        table.largest_bytes = std::max(table.largest_bytes, static_cast<Index>(bytes));
    }
    table.d = first.d;
    table.o = first.o;
    table.labels = first.labels;
    for (const ShardBlock& block : table.blocks) {
        table.num_examples += block.num_examples;
    }
}

/// The table as numbers, all but the paths.
std::vector<Index> numbers_of(const ShardTable& table) {
    std::vector<Index> numbers{table.d,
                               table.o,
                               static_cast<Index>(table.labels),
                               table.num_tokens,
                               table.num_examples,
                               table.largest_bytes};
    for (const ShardBlock& block : table.blocks) {
        numbers.insert(
            numbers.end(),
            {block.shard, block.first_sequence, block.num_sequences, block.num_examples});
    }
    return numbers;
}

ShardTable table_of(const std::vector<Index>& numbers, std::vector<std::string> paths) {
    ShardTable table{std::move(paths),
                     numbers[0],
                     numbers[1],
                     static_cast<LabelKind>(numbers[2]),
                     numbers[3],
                     numbers[4],
                     numbers[5],
                     {}};
    for (std::size_t at = 6; at + 3 < numbers.size(); at += 4) {
        table.blocks.push_back({numbers[at], numbers[at + 1], numbers[at + 2], numbers[at + 3]});
    }
    return table;
}

/// The sequences of a block of a shard that has just been read.
Dataset block_of(const Dataset& shard, const ShardBlock& block, const std::string& path) {
    require(block.first_sequence + block.num_sequences <= shard.num_sequences(),
            "{}: has {} sequences, expected more; was it replaced while it was read?",
            path,
            shard.num_sequences());
    Dataset part = subset(shard, block.first_sequence, block.num_sequences);
    require(part.num_examples() == block.num_examples,
            "{}: sequences {} to {} hold {} examples, expected {}; was it replaced while it was "
            "read?",
            path,
            block.first_sequence,
            block.first_sequence + block.num_sequences - 1,
            part.num_examples(),
            block.num_examples);
    part.truth = {};
    part.meta.clear();
    return part;
}

}  // namespace

ShardTable read_shard_table(const Communicator& ranks, const std::vector<std::string>& paths) {
    ShardTable table;
    table.paths = paths;
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
    return table_of(numbers, paths);
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
    together(ranks, [&] {
        Dataset shard;
        Index open = -1;
        for (Index b = data.first_own; b < data.partition.last(ranks.rank()); ++b) {
            const ShardBlock& block = data.table.blocks[static_cast<std::size_t>(b)];
            const std::string& path = data.table.paths[static_cast<std::size_t>(block.shard)];
            if (block.shard != open) {
                shard = read_dataset(path);
                open = block.shard;
                require(shard.d() == data.table.d && shard.o() == data.table.o &&
                            shard.labels == data.table.labels,
                        "{}: is another file here than on rank 0; give all ranks the same files",
                        path);
            }
            data.own.push_back(block_of(shard, block, path));
        }
    });
}

}  // namespace attest

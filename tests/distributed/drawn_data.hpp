#pragma once

#include "core/data/sources/moments.hpp"
#include "distributed/shards.hpp"
#include "tasks/random_linear_attention.hpp"

#include <algorithm>

namespace attest::test {

/// N sequences of six tokens with labels by two planted heads, so much out of reach of a model that
/// the residual is not zero.
inline Dataset drawn_dataset(Index d, Index o, Index N) {
    RandomLinearAttentionOptions options;
    options.d = d;
    options.o = o;
    options.n = {6, 6};
    const auto task = random_linear_attention(options, Stream(17));
    Dataset data = materialise(*task, 0, N, 1);
    for (Index i = 0; i < N; ++i) {
        data.y(0, i) += data.tokens(0, data.query_token(i));
    }
    return data;
}

/// Sequences of six tokens, so many for each unit vector, which asks; these take turns.
inline Dataset asked_by_units(Index d, Index per_query) {
    Dataset data = drawn_dataset(d, 1, d * per_query);
    for (Index i = 0; i < data.num_sequences(); ++i) {
        data.tokens.own().col(data.query_token(i)) = Vector::Unit(d, i % d);
    }
    return data;
}

/// A data set shared out among ranks in blocks of `each` sequences, as if it had been read.
inline ShardedData share_of(const Communicator& ranks, const Dataset& data, Index each) {
    ShardTable table;
    table.layer = data.layer;
    table.input = data.layer_input();
    table.o = data.o();
    table.labels = data.labels;
    table.num_tokens = data.tokens.cols();
    table.num_examples = data.num_examples();
    for (Index first = 0; first < data.num_sequences(); first += each) {
        const Index count = std::min(each, data.num_sequences() - first);
        table.blocks.push_back(
            {0, first, count, data.first_example(first + count) - data.first_example(first)});
    }
    ShardedData shared = shared_out(ranks, table);
    for (Index b = shared.first_own; b < shared.partition.last(ranks.rank()); ++b) {
        const ShardBlock& block = table.blocks[static_cast<std::size_t>(b)];
        shared.own.push_back(subset(data, block.first_sequence, block.num_sequences));
    }
    return shared;
}

}  // namespace attest::test

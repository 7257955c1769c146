#pragma once

#include "core/train/prefix_data.hpp"
#include "tasks/random_linear_attention.hpp"

#include <numeric>
#include <vector>

namespace attest::test {

/// Sequences of the task of Figure 1, labels at every prefix, entries of tokens of variance 1/n.
inline Dataset prefix_dataset(Index d, Index o, Index n, Index num_sequences, Index seed = 0) {
    RandomLinearAttentionOptions options;
    options.d = d;
    options.o = o;
    options.n = {n, n};
    options.heads = 1;
    options.labels = LabelKind::per_prefix;
    options.input_scale = 1.0 / std::sqrt(static_cast<double>(n));
    const auto task =
        random_linear_attention(options, Stream(static_cast<std::uint64_t>(seed)).child("train"));
    return materialise(*task, 0, num_sequences, 1);
}

inline std::vector<Index> all_sequences(Index count) {
    std::vector<Index> all(static_cast<std::size_t>(count));
    std::iota(all.begin(), all.end(), Index{0});
    return all;
}

}  // namespace attest::test

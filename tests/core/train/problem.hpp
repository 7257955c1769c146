#pragma once

#include "core/train/prefix_data.hpp"
#include "tasks/random_linear_attention.hpp"

#include <numeric>
#include <vector>

namespace attest::test {

/// Sequences of the task of Figure 1, labels at every prefix by default, entries of tokens of
/// variance 1/n.
inline Dataset prefix_dataset(Index d,
                              Index o,
                              Index n,
                              Index num_sequences,
                              Index seed = 0,
                              LabelKind labels = LabelKind::per_prefix) {
    RandomLinearAttentionOptions options = figure_1_options(d, n);
    options.o = o;
    options.labels = labels;
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

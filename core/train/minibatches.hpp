#pragma once

#include "core/rng/stream.hpp"

#include <span>
#include <vector>

namespace attest {

/// Which sequences each update meets: every epoch a fresh uniform permutation cut into batches, the
/// ragged rest left out. A pure function of the stream.
class Minibatches {
public:
    /// Throws InvalidInput unless 1 ≤ batch_size ≤ num_sequences.
    Minibatches(Index num_sequences, Index batch_size, const Stream& stream);

    /// The sequences of update u ≥ 0; valid until the next call.
    [[nodiscard]] std::span<const Index> of_update(Index u);

    [[nodiscard]] Index updates_per_epoch() const { return num_sequences_ / batch_size_; }

private:
    Index num_sequences_;
    Index batch_size_;
    Stream stream_;
    Index epoch_ = -1;
    std::vector<Index> order_;
};

}  // namespace attest

#include "core/train/minibatches.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/rng/sample.hpp"

namespace attest {

Minibatches::Minibatches(Index num_sequences, Index batch_size, const Stream& stream)
    : num_sequences_(num_sequences), batch_size_(batch_size), stream_(stream) {
    require(batch_size >= 1 && batch_size <= num_sequences,
            "minibatches: got batches of {}, expected 1 to the number of sequences, {}",
            batch_size,
            num_sequences);
}

std::span<const Index> Minibatches::of_update(Index u) {
    const Index epoch = u / updates_per_epoch();
    if (epoch != epoch_) {
        order_ = random_permutation(num_sequences_, stream_.child(epoch));
        epoch_ = epoch;
    }
    const Index first = u % updates_per_epoch() * batch_size_;
    return std::span(order_).subspan(static_cast<std::size_t>(first),
                                     static_cast<std::size_t>(batch_size_));
}

}  // namespace attest

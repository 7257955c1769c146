#include "distributed/broadcast_source.hpp"

namespace attest {

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

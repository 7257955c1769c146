#include "core/moments/stored_source.hpp"

#include "core/base/error.hpp"
#include "core/base/parallel.hpp"
#include "core/base/text.hpp"

#include <algorithm>

namespace attest {

namespace {

constexpr Index kMergedExamples = 1024;

MomentBatch side_by_side(const MomentSource& source, Index first, Index last) {
    std::vector<MomentBatch> parts;
    Index count = 0;
    for (Index b = first; b < last; ++b) {
        parts.push_back(source.block(b));
        count += parts.back().size();
    }
    if (parts.size() == 1) {
        return parts.front();
    }
    const SourceShape shape = source.shape();
    MomentBatch all{Matrix(shape.q(), count), Matrix(shape.m(), count), Matrix(shape.o, count)};
    Index at = 0;
    for (const MomentBatch& part : parts) {
        all.S.middleCols(at, part.size()) = part.S;
        all.u.middleCols(at, part.size()) = part.u;
        all.y.middleCols(at, part.size()) = part.y;
        at += part.size();
    }
    return all;
}

}  // namespace

MergedSource::MergedSource(std::unique_ptr<const MomentSource> source)
    : source_(std::move(source)), shape_(source_->shape()) {
    const Index blocks = shape_.num_blocks;
    const Index size = std::max<Index>(shape_.num_examples / std::max<Index>(blocks, 1), 1);
    merged_ = std::max<Index>(kMergedExamples / size, 1);
    shape_.num_blocks = (blocks + merged_ - 1) / merged_;
}

MomentBatch MergedSource::block(Index b) const {
    const Index blocks = source_->shape().num_blocks;
    return side_by_side(*source_, b * merged_, std::min((b + 1) * merged_, blocks));
}

StoredSource::StoredSource(const MomentSource& source, int threads) : shape_(source.shape()) {
    blocks_.resize(static_cast<std::size_t>(shape_.num_blocks));
    parallel_for(shape_.num_blocks, threads, [&](Index b) {
        blocks_[static_cast<std::size_t>(b)] = source.block(b);
    });
}

const MomentBatch& StoredSource::stored_block(Index b) const {
    require(b >= 0 && b < shape_.num_blocks,
            "StoredSource: got block {}, expected 0 to {}",
            b,
            shape_.num_blocks - 1);
    return blocks_[static_cast<std::size_t>(b)];
}

MomentBatch ScaledSource::block(Index b) const {
    MomentBatch batch = source_.block(b);
    batch.S *= factor_ * factor_;
    batch.u *= factor_;
    return batch;
}

}  // namespace attest

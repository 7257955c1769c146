#include "core/moments/stored_source.hpp"

#include "core/base/error.hpp"
#include "core/base/parallel.hpp"
#include "core/base/text.hpp"

#include <algorithm>
#include <vector>

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

void check_batch(const MomentBatch& batch, const SourceShape& shape) {
    const Index B = batch.size();
    require(batch.S.rows() == shape.q() && batch.S.cols() == B && batch.u.rows() == shape.m() &&
                batch.y.rows() == shape.o && batch.y.cols() == B,
            "moments: got a batch with S {}x{}, u {}x{}, y {}x{}, expected q = {}, m = {}, o = {}",
            batch.S.rows(),
            batch.S.cols(),
            batch.u.rows(),
            B,
            batch.y.rows(),
            batch.y.cols(),
            shape.q(),
            shape.m(),
            shape.o);
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

Index moment_window_capacity(Index q) {
    constexpr Index kBytes = Index{4} << 20;
    constexpr Index kStep = 128;
    const Index fitting = kBytes / (16 * q);
    return std::clamp<Index>(fitting / kStep * kStep, 4 * kStep, 32 * kStep);
}

void for_each_window(const MomentSource& source,
                     Index padding,
                     int threads,
                     const std::function<void(const MomentWindow&)>& consume) {
    const SourceShape shape = source.shape();
    const Index q = shape.q();
    const Index capacity = std::min(moment_window_capacity(q), shape.num_examples);
    MomentWindow window{Matrix::Zero(q + 1 + padding, capacity),
                        Matrix::Zero(shape.m() + shape.o, capacity)};
    window.left.row(q).setOnes();
    const Index lookahead = std::max(threads, 1);
    for (Index first = 0; first < shape.num_blocks; first += lookahead) {
        const Index fetched = std::min(lookahead, shape.num_blocks - first);
        std::vector<MomentBatch> batches(static_cast<std::size_t>(fetched));
        parallel_for(fetched, threads, [&](Index b) {
            batches[static_cast<std::size_t>(b)] = source.block(first + b);
        });
        for (const MomentBatch& batch : batches) {
            check_batch(batch, shape);
            for (Index taken = 0; taken < batch.size();) {
                const Index count = std::min(batch.size() - taken, capacity - window.count);
                window.left.block(0, window.count, q, count) = batch.S.middleCols(taken, count);
                window.right.block(0, window.count, shape.m(), count) =
                    batch.u.middleCols(taken, count);
                window.right.block(shape.m(), window.count, shape.o, count) =
                    batch.y.middleCols(taken, count);
                taken += count;
                window.count += count;
                if (window.count == capacity) {
                    consume(window);
                    window.count = 0;
                }
            }
        }
    }
    if (window.count > 0) {
        consume(window);
    }
}

}  // namespace attest

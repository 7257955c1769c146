#pragma once

#include "core/data/sources/moments.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

namespace attest::test {

/// A batch as a source with blocks of `block_size` examples.
class BatchSource final : public MomentSource {
public:
    BatchSource(MomentBatch batch, Index block_size)
        : batch_(std::move(batch)), block_size_(block_size) {}

    [[nodiscard]] SourceShape shape() const override {
        return {batch_.u.rows(),
                batch_.y.rows(),
                batch_.size(),
                (batch_.size() + block_size_ - 1) / block_size_};
    }

    [[nodiscard]] MomentBatch block(Index b) const override {
        const Index first = b * block_size_;
        const Index count = std::min(block_size_, batch_.size() - first);
        return {batch_.S.middleCols(first, count),
                batch_.u.middleCols(first, count),
                batch_.y.middleCols(first, count)};
    }

private:
    MomentBatch batch_;
    Index block_size_;
};

/// A data set in memory that counts how often it is read from the beginning.
class CountedSource final : public MomentSource {
public:
    explicit CountedSource(const Dataset& data) : source_(data) {}

    [[nodiscard]] SourceShape shape() const override { return source_.shape(); }

    [[nodiscard]] MomentBatch block(Index b) const override {
        passes_ += b == 0 ? 1 : 0;
        return source_.block(b);
    }

    [[nodiscard]] const Dataset* dataset() const override { return source_.dataset(); }

    [[nodiscard]] const SequenceSource* sequences() const override { return source_.sequences(); }

    [[nodiscard]] int passes() const { return passes_; }

private:
    DatasetSource source_;
    mutable std::atomic<int> passes_ = 0;
};

}  // namespace attest::test

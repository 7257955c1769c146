#pragma once

#include "core/data/moment_source.hpp"

#include <atomic>

namespace attest::test {

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

#pragma once

#include "core/data/moment_source.hpp"

namespace attest {

/// Moments of sequences that need not lie in memory, a run of examples at a time: the blocks, and
/// their bits, are those of DatasetSource on the same data. The sequences must outlive it.
class SlicedSource final : public MomentSource {
public:
    explicit SlicedSource(const SequenceSource& data);

    [[nodiscard]] SourceShape shape() const override;
    [[nodiscard]] MomentBatch block(Index b) const override;

    [[nodiscard]] const Dataset* dataset() const override { return data_.whole(); }

    [[nodiscard]] const SequenceSource* sequences() const override { return &data_; }

private:
    [[nodiscard]] Index end_of_run(Index first, Index last) const;

    const SequenceSource& data_;
    SequenceShape all_;
    FeatureLayout layout_;
    std::vector<Index> starts_;  ///< first example of every block, then their number
    Matrix carried_;  ///< q×num_blocks: pack(S) before each block's first token; prefixes of the
                      ///< paper's layer only
};

}  // namespace attest

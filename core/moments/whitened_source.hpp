#pragma once

#include "core/data/sliced_source.hpp"

namespace attest {

/// The examples of a data set with whitened tokens, block by block: S~ is formed from Z~, so that
/// it is as accurate as S. Data set and order of examples as DatasetSource.
class WhitenedSource final : public MomentSource {
public:
    /// `data` must outlive the source; L is d×d, lower triangular, nonsingular.
    WhitenedSource(const SequenceSource& data, const Matrix& L);

    [[nodiscard]] SourceShape shape() const override { return source_.shape(); }

    [[nodiscard]] MomentBatch block(Index b) const override { return source_.block(b); }

private:
    ChangedSequences whitened_;
    SlicedSource source_;
};

}  // namespace attest

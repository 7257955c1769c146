#pragma once

#include "core/data/moment_source.hpp"

namespace attest {

/// The examples of a data set with whitened tokens, block by block: S~ is formed from Z~, so that
/// it is as accurate as S. Data set and order of examples as DatasetSource.
class WhitenedSource final : public MomentSource {
public:
    /// `data` must outlive the source; L is d×d, lower triangular, nonsingular.
    WhitenedSource(const Dataset& data, Matrix L);

    [[nodiscard]] SourceShape shape() const override;
    [[nodiscard]] MomentBatch block(Index b) const override;

private:
    /// Examples first … last−1 with whitened tokens; a first prefix may lie inside its sequence.
    [[nodiscard]] Dataset slice(Index first, Index last) const;

    const Dataset& data_;
    Matrix L_;
    Matrix carried_;  ///< q×num_blocks: pack(S~) before each block's first token; prefixes only
};

}  // namespace attest

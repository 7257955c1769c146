#pragma once

#include "core/data/sources/moments.hpp"
#include "core/rng/stream.hpp"

namespace attest::bench {

/// N examples' moments in memory, in blocks of 256: S = Z Zᵀ of n = 32 grid-normal tokens each, the
/// query the last of them; no labels. For timing what starts from (S, z).
class StoredMoments final : public MomentSource {
public:
    StoredMoments(Index d, Index num_examples, const Stream& stream);

    [[nodiscard]] SourceShape shape() const override;
    [[nodiscard]] MomentBatch block(Index b) const override;

    [[nodiscard]] const MomentBatch& all() const { return all_; }

private:
    MomentBatch all_;
};

}  // namespace attest::bench

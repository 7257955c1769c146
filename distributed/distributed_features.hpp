#pragma once

#include "core/solve/feature_operator.hpp"
#include "distributed/shards.hpp"

namespace attest {

/// The feature matrix whose examples are spread over ranks. Sums go along the tree over blocks:
/// their bits do not depend on the number of ranks. What it refers to must outlive it.
class DistributedFeatures final : public FeatureMap {
public:
    DistributedFeatures(const Communicator& ranks,
                        const ShardedData& data,
                        const std::vector<MomentBatch>& moments)
        : ranks_(ranks), data_(data), moments_(moments) {}

    [[nodiscard]] SourceShape shape() const override { return data_.table.shape(); }

    [[nodiscard]] Index first_example() const override { return data_.first_example; }

    [[nodiscard]] Matrix apply(const Matrix& P) const override;
    [[nodiscard]] Matrix apply_transposed(const Matrix& r) const override;
    [[nodiscard]] Matrix labels() const override;
    [[nodiscard]] Vector square_sums(const Matrix& values) const override;
    [[nodiscard]] double squared_norm(const Matrix& values) const override;
    [[nodiscard]] double longest_feature() const override;

    /// Σ S Sᵀ and Σ u uᵀ, lower triangles.
    [[nodiscard]] Matrix state_moment() const;
    [[nodiscard]] Matrix query_moment() const;

private:
    /// Σ_b leaf(moments of b, first column of b in the share), rows×cols.
    template <class Leaf>
    [[nodiscard]] Matrix sum(Index rows, Index cols, const Leaf& leaf) const;

    const Communicator& ranks_;
    const ShardedData& data_;
    const std::vector<MomentBatch>& moments_;
};

}  // namespace attest

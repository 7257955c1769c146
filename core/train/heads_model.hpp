#pragma once

#include "core/train/head_map.hpp"
#include "core/train/residuals.hpp"
#include "core/train/trained_model.hpp"

namespace attest {

/// One layer of H linear-attention heads in training, whatever way its gradient is formed: θ holds
/// V and Q as HeadMap lays them out.
template <class Scalar>
class HeadsModel : public TrainedModel<Scalar> {
public:
    [[nodiscard]] Index num_parameters() const final { return map_.num_parameters(); }

    [[nodiscard]] VectorOf<Scalar> start(const Stream& stream) const final {
        return map_.start(stream);
    }

    /// From the residuals: Pᵀ G P − 2 gᵀP + Σy² would cancel near the floor.
    [[nodiscard]] double loss(const VectorOf<Scalar>& theta,
                              const PrefixData<Scalar>& data) const final {
        return relative_loss(map_.coefficients(theta), data);
    }

protected:
    HeadsModel(const PrefixData<Scalar>& data, Index num_heads)
        : TrainedModel<Scalar>(data), map_(data.d, data.o, num_heads) {}

    [[nodiscard]] const HeadMap<Scalar>& map() const { return map_; }

private:
    HeadMap<Scalar> map_;
};

}  // namespace attest

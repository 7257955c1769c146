#pragma once

#include "core/train/head_map.hpp"
#include "core/train/trained_model.hpp"

namespace attest {

/// One layer of H linear-attention heads, trained through the residuals of every example:
/// ∂loss/∂P_a = c Σ_t (z_t r_t,a) pack(S_t)ᵀ as a d×q matrix, r the residuals and c their weight,
/// then the derivative of p. 4ψ o flops a prefix whatever H, and no memory beyond the tokens: for
/// every d.
template <class Scalar>
class HeadsResidual final : public TrainedModel<Scalar> {
public:
    ///
    HeadsResidual(const PrefixData<Scalar>& data, Index num_heads);

    [[nodiscard]] Index num_parameters() const override { return map_.num_parameters(); }

    [[nodiscard]] VectorOf<Scalar> start(const Stream& stream) const override {
        return map_.start(stream);
    }

    [[nodiscard]] VectorOf<Scalar> gradient(const VectorOf<Scalar>& theta,
                                            std::span<const Index> sequences) const override;
    [[nodiscard]] double loss(const VectorOf<Scalar>& theta,
                              const PrefixData<Scalar>& data) const override;

private:
    HeadMap<Scalar> map_;
};

extern template class HeadsResidual<float>;
extern template class HeadsResidual<double>;

}  // namespace attest

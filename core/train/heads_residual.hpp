#pragma once

#include "core/train/heads_model.hpp"

namespace attest {

/// One layer of H linear-attention heads, trained through the residuals of every example:
/// ∂loss/∂P_a = c Σ_t (z_t r_t,a) pack(S_t)ᵀ as a d×q matrix, r the residuals and c their weight,
/// then the derivative of p. 4ψ o flops a prefix whatever H, and no memory beyond the tokens: for
/// every d.
template <class Scalar>
class HeadsResidual final : public HeadsModel<Scalar> {
public:
    HeadsResidual(const PrefixData<Scalar>& data, Index num_heads);

    [[nodiscard]] VectorOf<Scalar> gradient(const VectorOf<Scalar>& theta,
                                            std::span<const Index> sequences) const override;
};

extern template class HeadsResidual<float>;
extern template class HeadsResidual<double>;

}  // namespace attest

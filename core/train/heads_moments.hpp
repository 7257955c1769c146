#pragma once

#include "core/train/heads_model.hpp"

namespace attest {

/// One layer of H linear-attention heads, trained through moments of whole sequences: with
/// G_i = Σ_t H_t H_tᵀ and g_i = Σ_t H_t y_tᵀ stored, ∂loss/∂P = c (Σ_i G_i P − Σ_i g_i), c the
/// weight of a residual, then the derivative of p. A step reads ψ(ψ+1)/2 + ψo numbers a sequence
/// instead of T prefixes, and its cost hardly depends on T and H. For small d: memory grows as d⁶.
template <class Scalar>
class HeadsMoments final : public HeadsModel<Scalar> {
public:
    /// Computes the moments, in double: O(N T ψ²). Throws EnvironmentFailure when N (ψ(ψ+1)/2 + ψo)
    /// numbers exceed the memory.
    HeadsMoments(const PrefixData<Scalar>& data, Index num_heads);

    [[nodiscard]] VectorOf<Scalar> gradient(const VectorOf<Scalar>& theta,
                                            std::span<const Index> sequences) const override;

private:
    /// Column i: the lower triangle of G_i, column after column, then g_i.
    MatrixOf<Scalar> moments_;
};

extern template class HeadsMoments<float>;
extern template class HeadsMoments<double>;

}  // namespace attest

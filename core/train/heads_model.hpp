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

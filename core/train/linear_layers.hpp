#pragma once

#include "core/train/trained_model.hpp"

#include <vector>

namespace attest {

/// L layers of one linear-attention head each. Layer l < L maps every token, x_t ← x_t + V S_t Q
/// x_t with S_t = Σ_{s≤t} x_s x_sᵀ of its own inputs (causal, so that one pass serves every
/// prefix); the last one outputs ŷ_t = V S_t Q x_t without the residual connection. θ holds V
/// (d×d; last o×d) and Q (d×d) of each layer, column-major.
template <class Scalar>
class LinearLayers final : public TrainedModel<Scalar> {
public:
    /// Throws InvalidInput without a layer.
    LinearLayers(const PrefixData<Scalar>& data, Index num_layers);

    [[nodiscard]] Index num_parameters() const override;

    /// Independent entries of variance 1/d.
    [[nodiscard]] VectorOf<Scalar> start(const Stream& stream) const override;
    /// Backwards through the layers: with w_t = S_t u_t, u_t = Q x_t and a_t = V w_t, cotangents
    /// are w̄ = Vᵀā, ū_t = S_t w̄_t, x̄_t = Qᵀū_t + Σ_{s≥t} (w̄_s u_sᵀ + u_s w̄_sᵀ) x_t (+ ā_t), and
    /// V̄ = ĀWᵀ, Q̄ = ŪXᵀ. O(L T d²) a sequence.
    [[nodiscard]] VectorOf<Scalar> gradient(const VectorOf<Scalar>& theta,
                                            std::span<const Index> sequences) const override;
    [[nodiscard]] double loss(const VectorOf<Scalar>& theta,
                              const PrefixData<Scalar>& data) const override;

private:
    using ConstMap = Eigen::Map<const MatrixOf<Scalar>>;
    using Map = Eigen::Map<MatrixOf<Scalar>>;

    /// What the backward pass needs of one layer.
    struct Trace {
        MatrixOf<Scalar> X;  ///< d×T, its inputs
        MatrixOf<Scalar> U;  ///< Q X
        MatrixOf<Scalar> W;  ///< S_t u_t
    };

    [[nodiscard]] Index offset(Index layer) const { return layer * 2 * d_ * d_; }

    [[nodiscard]] Index outputs_of(Index layer) const { return layer + 1 < num_layers_ ? d_ : o_; }

    [[nodiscard]] std::vector<Trace> forward(const VectorOf<Scalar>& theta,
                                             MatrixOf<Scalar> X) const;
    [[nodiscard]] MatrixOf<Scalar> last_outputs(const VectorOf<Scalar>& theta,
                                                const std::vector<Trace>& traces) const;
    void add_gradient(VectorOf<Scalar>& gradient,
                      const VectorOf<Scalar>& theta,
                      const std::vector<Trace>& traces,
                      MatrixOf<Scalar> output_cotangent) const;

    Index d_;
    Index o_;
    Index num_layers_;
};

extern template class LinearLayers<float>;
extern template class LinearLayers<double>;

}  // namespace attest

#pragma once

#include "core/train/causal_attention.hpp"
#include "core/train/layer_norm.hpp"
#include "core/train/transformer_layout.hpp"

#include <vector>

namespace attest {

/// The forward pass of one layer on one sequence: what the backward pass needs. Tokens are columns.
template <class Scalar>
struct TransformerLayerTrace {
    NormalisedTokens<Scalar> attention_norm;
    MatrixOf<Scalar> attention_input;
    CausalAttention<Scalar> attention;
    NormalisedTokens<Scalar> mlp_norm;
    MatrixOf<Scalar> mlp_input;
    MatrixOf<Scalar> before_gelu;
    MatrixOf<Scalar> after_gelu;
};

template <class Scalar>
struct TransformerTrace {
    std::vector<TransformerLayerTrace<Scalar>> layers;
    NormalisedTokens<Scalar> final_norm;
    MatrixOf<Scalar> head_input;
    MatrixOf<Scalar> outputs;  ///< o×T
};

/// Forward and backward passes of a transformer at one θ, which must outlive this, as the layout.
template <class Scalar>
class TransformerPasses {
public:
    TransformerPasses(const VectorOf<Scalar>& theta, const TransformerLayout& layout, Index heads)
        : theta_(theta), layout_(layout), heads_(heads) {}

    /// Z is d×T, T at most the number of learned positions.
    [[nodiscard]] TransformerTrace<Scalar> forward(const MatrixOf<Scalar>& Z) const;

    /// The gradient plus that of Σ cotangent∘outputs, the cotangent o×T.
    [[nodiscard]] VectorOf<Scalar> backward(VectorOf<Scalar> gradient,
                                            const TransformerTrace<Scalar>& trace,
                                            const MatrixOf<Scalar>& Z,
                                            const MatrixOf<Scalar>& cotangent) const;

private:
    [[nodiscard]] auto at(const ParameterBlock& block) const { return block_of(theta_, block); }

    [[nodiscard]] MatrixOf<Scalar> scaled(const NormalisedTokens<Scalar>& tokens,
                                          const ParameterBlock& gain,
                                          const ParameterBlock& shift) const;
    MatrixOf<Scalar> scaled_backward(VectorOf<Scalar>& gradient,
                                     const NormalisedTokens<Scalar>& tokens,
                                     const ParameterBlock& gain,
                                     const ParameterBlock& shift,
                                     const MatrixOf<Scalar>& G) const;
    TransformerLayerTrace<Scalar> forward_layer(const TransformerLayer& layer,
                                                MatrixOf<Scalar>& X) const;
    void backward_mlp(VectorOf<Scalar>& gradient,
                      const TransformerLayer& layer,
                      const TransformerLayerTrace<Scalar>& trace,
                      MatrixOf<Scalar>& X) const;
    void backward_attention(VectorOf<Scalar>& gradient,
                            const TransformerLayer& layer,
                            const TransformerLayerTrace<Scalar>& trace,
                            MatrixOf<Scalar>& X) const;

    const VectorOf<Scalar>& theta_;
    const TransformerLayout& layout_;
    Index heads_;
};

extern template class TransformerPasses<float>;
extern template class TransformerPasses<double>;

}  // namespace attest

#pragma once

#include "core/algebra/matrix.hpp"
#include "core/train/causal_attention.hpp"
#include "core/train/parts.hpp"
#include "core/train/trained_model.hpp"

#include <vector>

namespace attest {

struct TransformerShape {
    Index d = 0;       ///< entries of a token
    Index o = 0;       ///< outputs
    Index length = 0;  ///< positions that are learned
    Index layers = 2;
    Index width = 64;
    Index heads = 4;
    Index hidden = 256;  ///< of the MLP
};

/// One matrix of parameters within θ, column-major, and how its entries start.
struct ParameterBlock {
    Index offset = 0;
    Index rows = 0;
    Index cols = 0;
    double mean = 0.0;       ///< at the start
    double deviation = 0.0;  ///< at the start; 0: all entries start at the mean
};

struct TransformerLayer {
    ParameterBlock attention_gain, attention_shift;  ///< layer norm before attention
    ParameterBlock query, key, value, output;        ///< width×width, without bias
    ParameterBlock mlp_gain, mlp_shift;              ///< layer norm before the MLP
    ParameterBlock up, up_bias, down, down_bias;     ///< hidden×width, width×hidden
};

/// Where every parameter of a pre-LN transformer stands in θ. Weights start with variance 1 over
/// their inputs, those that write into the residual stream divided by √(2·layers) (Radford et al.
/// 2019), positions with 0.02, the last matrix and the biases with 0.
struct TransformerLayout {
    /// Throws InvalidInput unless all sizes are positive and the heads divide the width.
    explicit TransformerLayout(const TransformerShape& shape);

    ParameterBlock input;      ///< width×d
    ParameterBlock positions;  ///< width×length
    std::vector<TransformerLayer> layers;
    ParameterBlock final_gain, final_shift;
    ParameterBlock head, head_bias;   ///< o×width
    std::vector<ParameterBlock> all;  ///< every block, in order
    Index size = 0;                   ///< of θ
};

template <class Scalar>
[[nodiscard]] Eigen::Map<const MatrixOf<Scalar>> block_of(const VectorOf<Scalar>& theta,
                                                          const ParameterBlock& block) {
    return {theta.data() + block.offset, block.rows, block.cols};
}

template <class Scalar>
[[nodiscard]] Eigen::Map<MatrixOf<Scalar>> block_of(VectorOf<Scalar>& theta,
                                                    const ParameterBlock& block) {
    return {theta.data() + block.offset, block.rows, block.cols};
}

/// A causal pre-LN transformer: tokens through a linear map plus learned positions; in each layer
/// x ← x + O·attention(LN x), x ← x + down·gelu(up·LN x + b) + b′; outputs from the last layer norm
/// by a linear map. gelu in its tanh form, x·σ(2√(2/π)(x + 0.044715x³)).
template <class Scalar>
class Transformer final : public TrainedModel<Scalar> {
public:
    /// d, o and length of the shape are the data's. Results do not depend on the number of threads.
    Transformer(const PrefixData<Scalar>& data, TransformerShape shape, int threads = 1);

    [[nodiscard]] Index num_parameters() const override { return layout_.size; }

    [[nodiscard]] VectorOf<Scalar> start(const Stream& stream) const override;
    /// Reverse mode, sequence by sequence: about three times the cost of the outputs.
    [[nodiscard]] VectorOf<Scalar> gradient(const VectorOf<Scalar>& theta,
                                            std::span<const Index> sequences) const override;
    [[nodiscard]] double loss(const VectorOf<Scalar>& theta,
                              const PrefixData<Scalar>& data) const override;

private:
    TransformerShape shape_;
    TransformerLayout layout_;
    int threads_;
};

extern template class Transformer<float>;
extern template class Transformer<double>;

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

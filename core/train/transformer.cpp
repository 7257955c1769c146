#include "core/train/transformer.hpp"

#include "core/algebra/product.hpp"
#include "core/base/error.hpp"
#include "core/base/parallel.hpp"
#include "core/base/text.hpp"
#include "core/rng/sample.hpp"
#include "core/train/parts.hpp"
#include "core/train/residuals.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace attest {

namespace {

/// Sequences whose gradients one thread adds up: fixed, so that the sum is the same whatever the
/// number of threads.
constexpr Index kChunk = 4;

}  // namespace

template <class Scalar>
Transformer<Scalar>::Transformer(const PrefixData<Scalar>& data,
                                 TransformerShape shape,
                                 int threads)
    : TrainedModel<Scalar>(data),
      shape_([&] {
          shape.d = data.d;
          shape.o = data.o;
          shape.length = data.length;
          return shape;
      }()),
      layout_(shape_),
      threads_(threads) {
    require_every_prefix(data, "transformer");
}

template <class Scalar>
VectorOf<Scalar> Transformer<Scalar>::start(const Stream& stream) const {
    VectorOf<Scalar> theta(layout_.size);
    for (std::size_t i = 0; i < layout_.all.size(); ++i) {
        const ParameterBlock& block = layout_.all[i];
        const Matrix entries =
            grid_matrix(grid_normal(), block.rows, block.cols, stream.child(static_cast<Index>(i)));
        block_of(theta, block) =
            (entries.array() * block.deviation + block.mean).template cast<Scalar>();
    }
    return theta;
}

template <class Scalar>
VectorOf<Scalar> Transformer<Scalar>::gradient(const VectorOf<Scalar>& theta,
                                               std::span<const Index> sequences) const {
    const Scalar weight = residual_weight(this->data(), static_cast<Index>(sequences.size()));
    const TransformerPasses<Scalar> passes(theta, layout_, shape_.heads);
    const auto count = static_cast<Index>(sequences.size());
    const Index chunks = (count + kChunk - 1) / kChunk;
    std::vector<VectorOf<Scalar>> parts(static_cast<std::size_t>(chunks));
    parallel_for(chunks, threads_, [&](Index chunk) {
        VectorOf<Scalar> sum = VectorOf<Scalar>::Zero(layout_.size);
        for (Index k = chunk * kChunk; k < std::min(count, (chunk + 1) * kChunk); ++k) {
            const Index i = sequences[static_cast<std::size_t>(k)];
            const MatrixOf<Scalar> Z = this->data().sequence(i);
            const TransformerTrace<Scalar> trace = passes.forward(Z);
            sum = passes.backward(
                std::move(sum), trace, Z, weight * (trace.outputs - this->data().labels(i)));
        }
        parts[static_cast<std::size_t>(chunk)] = std::move(sum);
    });
    VectorOf<Scalar> gradient = VectorOf<Scalar>::Zero(layout_.size);
    for (const VectorOf<Scalar>& part : parts) {
        gradient += part;
    }
    return gradient;
}

template <class Scalar>
double Transformer<Scalar>::loss(const VectorOf<Scalar>& theta,
                                 const PrefixData<Scalar>& data) const {
    const TransformerPasses<Scalar> passes(theta, layout_, shape_.heads);
    Vector errors(data.num_sequences);
    parallel_for(data.num_sequences, threads_, [&](Index i) {
        const MatrixOf<Scalar> residual = passes.forward(data.sequence(i)).outputs - data.labels(i);
        errors(i) = residual.template cast<double>().squaredNorm();
    });
    double sum = 0.0;
    for (Index i = 0; i < data.num_sequences; ++i) {
        sum += errors(i);
    }
    return sum / (static_cast<double>(data.y.cols()) * data.label_power);
}

template class Transformer<float>;
template class Transformer<double>;

TransformerLayout::TransformerLayout(const TransformerShape& shape) {
    require(shape.d >= 1 && shape.o >= 1 && shape.length >= 1 && shape.layers >= 1 &&
                shape.width >= 1 && shape.heads >= 1 && shape.hidden >= 1,
            "transformer: every size must be at least 1");
    require(shape.width % shape.heads == 0,
            "transformer: got {} heads and width {}, expected heads that divide the width",
            shape.heads,
            shape.width);
    const auto add = [&](Index rows, Index cols, double mean, double deviation) {
        const ParameterBlock block{size, rows, cols, mean, deviation};
        size += rows * cols;
        all.push_back(block);
        return block;
    };
    const auto weights = [&](Index rows, Index cols, double factor) {
        return add(rows, cols, 0.0, factor / std::sqrt(static_cast<double>(cols)));
    };
    const auto constant = [&](Index rows, double value) { return add(rows, 1, value, 0.0); };
    const double residual = 1.0 / std::sqrt(2.0 * static_cast<double>(shape.layers));
    const Index width = shape.width;
    input = weights(width, shape.d, 1.0);
    positions = add(width, shape.length, 0.0, 0.02);
    for (Index i = 0; i < shape.layers; ++i) {
        TransformerLayer layer;
        layer.attention_gain = constant(width, 1.0);
        layer.attention_shift = constant(width, 0.0);
        layer.query = weights(width, width, 1.0);
        layer.key = weights(width, width, 1.0);
        layer.value = weights(width, width, 1.0);
        layer.output = weights(width, width, residual);
        layer.mlp_gain = constant(width, 1.0);
        layer.mlp_shift = constant(width, 0.0);
        layer.up = weights(shape.hidden, width, 1.0);
        layer.up_bias = constant(shape.hidden, 0.0);
        layer.down = weights(width, shape.hidden, residual);
        layer.down_bias = constant(width, 0.0);
        layers.push_back(layer);
    }
    final_gain = constant(width, 1.0);
    final_shift = constant(width, 0.0);
    head = weights(shape.o, width, 0.0);
    head_bias = constant(shape.o, 0.0);
}

namespace {

/// A B, with A stored as it is or transposed.
template <class Scalar>
MatrixOf<Scalar> product(ConstView<Scalar> A, Transpose transpose_A, ConstView<Scalar> B) {
    const Index rows = transpose_A == Transpose::yes ? A.cols() : A.rows();
    MatrixOf<Scalar> C = MatrixOf<Scalar>::Zero(rows, B.cols());
    accumulate_product<Scalar>(C, A, transpose_A, B, Transpose::no);
    return C;
}

/// The gradient of a matrix that multiplied `inputs`.
template <class Scalar>
void add_outer(VectorOf<Scalar>& gradient,
               const ParameterBlock& block,
               const MatrixOf<Scalar>& G,
               const MatrixOf<Scalar>& inputs) {
    accumulate_product<Scalar>(block_of(gradient, block), G, Transpose::no, inputs, Transpose::yes);
}

/// The gradient of a bias.
template <class Scalar>
void add_sum(VectorOf<Scalar>& gradient, const ParameterBlock& block, const MatrixOf<Scalar>& G) {
    block_of(gradient, block).col(0) += G.rowwise().sum();
}

}  // namespace

/// gain∘x̂ + shift.
template <class Scalar>
MatrixOf<Scalar> TransformerPasses<Scalar>::scaled(const NormalisedTokens<Scalar>& tokens,
                                                   const ParameterBlock& gain,
                                                   const ParameterBlock& shift) const {
    MatrixOf<Scalar> X = at(gain).col(0).asDiagonal() * tokens.X;
    X.colwise() += at(shift).col(0);
    return X;
}

/// Adds the gradients of gain and shift; returns the cotangent of the layer norm's inputs.
template <class Scalar>
MatrixOf<Scalar> TransformerPasses<Scalar>::scaled_backward(VectorOf<Scalar>& gradient,
                                                            const NormalisedTokens<Scalar>& tokens,
                                                            const ParameterBlock& gain,
                                                            const ParameterBlock& shift,
                                                            const MatrixOf<Scalar>& G) const {
    block_of(gradient, gain).col(0) += G.cwiseProduct(tokens.X).rowwise().sum();
    add_sum(gradient, shift, G);
    return normalise_backward<Scalar>(tokens, at(gain).col(0).asDiagonal() * G);
}

template <class Scalar>
TransformerLayerTrace<Scalar> TransformerPasses<Scalar>::forward_layer(
    const TransformerLayer& layer, MatrixOf<Scalar>& X) const {
    TransformerLayerTrace<Scalar> trace;
    trace.attention_norm = normalise(X);
    trace.attention_input =
        scaled(trace.attention_norm, layer.attention_gain, layer.attention_shift);
    const auto projected = [&](const ParameterBlock& block) {
        return product<Scalar>(at(block), Transpose::no, trace.attention_input);
    };
    trace.attention = causal_attention<Scalar>(
        projected(layer.query), projected(layer.key), projected(layer.value), heads_);
    accumulate_product<Scalar>(
        X, at(layer.output), Transpose::no, trace.attention.outputs, Transpose::no);
    trace.mlp_norm = normalise(X);
    trace.mlp_input = scaled(trace.mlp_norm, layer.mlp_gain, layer.mlp_shift);
    trace.before_gelu = product<Scalar>(at(layer.up), Transpose::no, trace.mlp_input);
    trace.before_gelu.colwise() += at(layer.up_bias).col(0);
    trace.after_gelu = gelu(trace.before_gelu);
    accumulate_product<Scalar>(X, at(layer.down), Transpose::no, trace.after_gelu, Transpose::no);
    X.colwise() += at(layer.down_bias).col(0);
    return trace;
}

template <class Scalar>
TransformerTrace<Scalar> TransformerPasses<Scalar>::forward(const MatrixOf<Scalar>& Z) const {
    TransformerTrace<Scalar> trace;
    MatrixOf<Scalar> X = at(layout_.positions).leftCols(Z.cols());
    accumulate_product<Scalar>(X, at(layout_.input), Transpose::no, Z, Transpose::no);
    for (const TransformerLayer& layer : layout_.layers) {
        trace.layers.push_back(forward_layer(layer, X));
    }
    trace.final_norm = normalise(X);
    trace.head_input = scaled(trace.final_norm, layout_.final_gain, layout_.final_shift);
    trace.outputs = product<Scalar>(at(layout_.head), Transpose::no, trace.head_input);
    trace.outputs.colwise() += at(layout_.head_bias).col(0);
    return trace;
}

/// X is the cotangent of the layer's outputs, and afterwards of what the MLP read.
template <class Scalar>
void TransformerPasses<Scalar>::backward_mlp(VectorOf<Scalar>& gradient,
                                             const TransformerLayer& layer,
                                             const TransformerLayerTrace<Scalar>& trace,
                                             MatrixOf<Scalar>& X) const {
    add_sum(gradient, layer.down_bias, X);
    add_outer(gradient, layer.down, X, trace.after_gelu);
    const MatrixOf<Scalar> before_gelu = product<Scalar>(at(layer.down), Transpose::yes, X)
                                             .cwiseProduct(gelu_slopes(trace.before_gelu));
    add_sum(gradient, layer.up_bias, before_gelu);
    add_outer(gradient, layer.up, before_gelu, trace.mlp_input);
    X += scaled_backward(gradient,
                         trace.mlp_norm,
                         layer.mlp_gain,
                         layer.mlp_shift,
                         product<Scalar>(at(layer.up), Transpose::yes, before_gelu));
}

/// X is the cotangent of what attention wrote to, and afterwards of the layer's inputs.
template <class Scalar>
void TransformerPasses<Scalar>::backward_attention(VectorOf<Scalar>& gradient,
                                                   const TransformerLayer& layer,
                                                   const TransformerLayerTrace<Scalar>& trace,
                                                   MatrixOf<Scalar>& X) const {
    add_outer(gradient, layer.output, X, trace.attention.outputs);
    const AttentionCotangents<Scalar> of =
        attention_backward(trace.attention, product<Scalar>(at(layer.output), Transpose::yes, X));
    MatrixOf<Scalar> input = MatrixOf<Scalar>::Zero(X.rows(), X.cols());
    const auto through = [&](const ParameterBlock& block, const MatrixOf<Scalar>& cotangent) {
        add_outer(gradient, block, cotangent, trace.attention_input);
        accumulate_product<Scalar>(input, at(block), Transpose::yes, cotangent, Transpose::no);
    };
    through(layer.query, of.Q);
    through(layer.key, of.K);
    through(layer.value, of.V);
    X += scaled_backward(
        gradient, trace.attention_norm, layer.attention_gain, layer.attention_shift, input);
}

template <class Scalar>
VectorOf<Scalar> TransformerPasses<Scalar>::backward(VectorOf<Scalar> gradient,
                                                     const TransformerTrace<Scalar>& trace,
                                                     const MatrixOf<Scalar>& Z,
                                                     const MatrixOf<Scalar>& cotangent) const {
    add_outer(gradient, layout_.head, cotangent, trace.head_input);
    add_sum(gradient, layout_.head_bias, cotangent);
    MatrixOf<Scalar> X =
        scaled_backward(gradient,
                        trace.final_norm,
                        layout_.final_gain,
                        layout_.final_shift,
                        product<Scalar>(at(layout_.head), Transpose::yes, cotangent));
    for (std::size_t i = layout_.layers.size(); i-- > 0;) {
        backward_mlp(gradient, layout_.layers[i], trace.layers[i], X);
        backward_attention(gradient, layout_.layers[i], trace.layers[i], X);
    }
    block_of(gradient, layout_.positions).leftCols(X.cols()) += X;
    add_outer(gradient, layout_.input, X, Z);
    return gradient;
}

template class TransformerPasses<float>;
template class TransformerPasses<double>;

}  // namespace attest

#include "tests/torch/torch_models.hpp"

#include <torch/torch.h>

#include <cmath>
#include <limits>

namespace attest::test {

namespace {

using torch::Tensor;

/// A copy, rows×cols.
Tensor tensor_of(const Matrix& A) {
    Matrix copy = A;
    return torch::from_blob(copy.data(), {copy.cols(), copy.rows()}, torch::kDouble).clone().t();
}

/// Entries offset … of θ as a matrix stored column by column.
Tensor matrix_at(const Tensor& theta, Index offset, Index rows, Index cols) {
    return theta.slice(0, offset, offset + rows * cols).view({cols, rows}).t();
}

Tensor block_at(const Tensor& theta, const ParameterBlock& block) {
    return matrix_at(theta, block.offset, block.rows, block.cols);
}

Tensor vector_at(const Tensor& theta, const ParameterBlock& block) {
    return theta.slice(0, block.offset, block.offset + block.rows);
}

/// S_t = Σ_{s≤t} x_s x_sᵀ of tokens X (T×d), T×d×d.
Tensor prefix_moments(const Tensor& X) {
    return torch::einsum("ti,tj->tij", {X, X}).cumsum(0);
}

/// Outputs T×o from tokens T×d.
using Model = std::function<Tensor(const Tensor& theta, const Tensor& X)>;

LossAndGradient differentiate(const PrefixData<double>& data,
                              const Vector& theta,
                              const Model& model) {
    Tensor parameters = tensor_of(theta).reshape({theta.size()}).clone();
    parameters.requires_grad_(true);
    Tensor sum = torch::zeros({}, torch::kDouble);
    for (Index i = 0; i < data.num_sequences; ++i) {
        const Tensor outputs = model(parameters, tensor_of(data.sequence(i)).t());
        const Tensor examples = outputs.slice(0, data.length - data.labelled, data.length);
        sum = sum + (examples - tensor_of(data.labels(i)).t()).square().sum();
    }
    const Tensor loss =
        sum / (static_cast<double>(data.num_sequences * data.labelled) * data.label_power);
    loss.backward();
    const Tensor gradient = parameters.grad().contiguous();
    return {loss.item<double>(),
            Eigen::Map<const Vector>(gradient.data_ptr<double>(), theta.size())};
}

Tensor norm(const Tensor& X, const Tensor& gain, const Tensor& shift) {
    return torch::layer_norm(X, {X.size(1)}, gain, shift, 1e-5);
}

Tensor attend(const Tensor& N, const Tensor& theta, const TransformerLayer& layer, Index heads) {
    const Index T = N.size(0);
    const Index width = N.size(1);
    const auto split = [&](const ParameterBlock& block) {
        return N.matmul(block_at(theta, block).t()).view({T, heads, width / heads}).transpose(0, 1);
    };
    const Tensor later = torch::ones({T, T}, torch::kBool).triu(1);
    const Tensor scores = split(layer.query).matmul(split(layer.key).transpose(1, 2)) /
                          std::sqrt(static_cast<double>(width / heads));
    const Tensor weights =
        torch::softmax(scores.masked_fill(later, -std::numeric_limits<double>::infinity()), -1);
    return weights.matmul(split(layer.value))
        .transpose(0, 1)
        .reshape({T, width})
        .matmul(block_at(theta, layer.output).t());
}

Tensor mlp(const Tensor& N, const Tensor& theta, const TransformerLayer& layer) {
    const Tensor hidden = N.matmul(block_at(theta, layer.up).t()) + vector_at(theta, layer.up_bias);
    return torch::gelu(hidden, "tanh").matmul(block_at(theta, layer.down).t()) +
           vector_at(theta, layer.down_bias);
}

}  // namespace

LossAndGradient torch_heads(const PrefixData<double>& data, const Vector& theta, Index num_heads) {
    return differentiate(data, theta, [&](const Tensor& parameters, const Tensor& X) {
        const Index size = num_heads * data.o * data.d;
        const Tensor V = matrix_at(parameters, 0, num_heads, data.o * data.d)
                             .reshape({num_heads, data.o, data.d});
        const Tensor Q = matrix_at(parameters, size, num_heads, data.d * data.d)
                             .reshape({num_heads, data.d, data.d});
        const Tensor U = torch::einsum("hkl,tl->thk", {Q, X});
        const Tensor W = torch::einsum("tjk,thk->thj", {prefix_moments(X), U});
        return torch::einsum("haj,thj->ta", {V, W});
    });
}

LossAndGradient torch_layers(const PrefixData<double>& data,
                             const Vector& theta,
                             Index num_layers) {
    return differentiate(data, theta, [&](const Tensor& parameters, Tensor X) {
        Index offset = 0;
        for (Index layer = 0; layer < num_layers; ++layer) {
            const bool last = layer + 1 == num_layers;
            const Index rows = last ? data.o : data.d;
            const Tensor V = matrix_at(parameters, offset, rows, data.d);
            const Tensor Q = matrix_at(parameters, offset + rows * data.d, data.d, data.d);
            offset += (rows + data.d) * data.d;
            const Tensor W =
                torch::einsum("tjk,tk->tj", {prefix_moments(X), X.matmul(Q.t())}).matmul(V.t());
            X = last ? W : X + W;
        }
        return X;
    });
}

LossAndGradient torch_transformer(const PrefixData<double>& data,
                                  const Vector& theta,
                                  const TransformerShape& shape) {
    const TransformerLayout layout(shape);
    return differentiate(data, theta, [&](const Tensor& parameters, const Tensor& Z) {
        const auto normalised =
            [&](const Tensor& X, const ParameterBlock& gain, const ParameterBlock& shift) {
                return norm(X, vector_at(parameters, gain), vector_at(parameters, shift));
            };
        Tensor X = Z.matmul(block_at(parameters, layout.input).t()) +
                   block_at(parameters, layout.positions).t();
        for (const TransformerLayer& layer : layout.layers) {
            X = X + attend(normalised(X, layer.attention_gain, layer.attention_shift),
                           parameters,
                           layer,
                           shape.heads);
            X = X + mlp(normalised(X, layer.mlp_gain, layer.mlp_shift), parameters, layer);
        }
        return normalised(X, layout.final_gain, layout.final_shift)
                   .matmul(block_at(parameters, layout.head).t()) +
               vector_at(parameters, layout.head_bias);
    });
}

}  // namespace attest::test

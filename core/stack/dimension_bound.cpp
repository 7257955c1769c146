#include "core/stack/dimension_bound.hpp"

#include <algorithm>

namespace attest {

namespace {

/// C(d+2, 3), cubic monomials in d variables.
Index cubics(Index d) {
    return d * (d + 1) * (d + 2) / 6;
}

/// Dimension of the m×n matrices of rank at most r.
Index rank_locus(Index m, Index n, Index r) {
    const Index at_most = std::min({m, n, r});
    return at_most * (m + n - at_most);
}

/// Of the maps y_j = Σ_i γ^(j−i) P x_i x_iᵀA x_j: one token sees x xᵀ x alone; every further lag
/// adds x xᵀ ⊗ x, of which there is one kind where all weights are 1.
Index monomials(const StackLayer& layer, Index d_in, Index d_out, Index tokens) {
    const Index pairs = d_in * (d_in + 1) / 2 * d_in;
    if (tokens == 1) {
        return d_out * cubics(d_in);
    }
    return layer.decay == StackDecay::none ? d_out * pairs
                                           : d_out * (cubics(d_in) + (tokens - 1) * pairs);
}

/// Heads with their own keys and values: ranks of A_h = K_hᵀQ_h and P_h = O_hV_h, less the g ∈ GL_H
/// that mix heads, Σ P_h ⊗ A_h staying as it is, and keep those ranks. They act freely where all
/// A_h or all P_h are independent, which more heads than either have entries are not.
Index by_heads(const StackLayer& layer, Index d_in, Index d_out) {
    const Index H = layer.heads;
    const Index a = std::min(layer.key_size, d_in);
    const Index v = std::min({layer.value_size, d_in, d_out});
    const Index each = rank_locus(d_in, d_in, a) + rank_locus(d_out, d_in, v);
    if (layer.decay != StackDecay::none) {
        return H * (each - 1);
    }
    const Index codimension = (d_in - a) * (d_in - a) + (d_in - v) * (d_out - v);
    const bool acts_freely = H <= d_in * std::max(d_in, d_out);
    return H * each - H * (acts_freely ? std::max(Index{1}, H - codimension) : 1);
}

/// Groups: K and V up to their bases, and Σ_h O_h ⊗ Q_h, a matrix of rank at most their number.
Index by_groups(const StackLayer& layer, Index d_in, Index d_out) {
    const Index a = std::min(layer.key_size, d_in);
    const Index v = std::min(layer.value_size, d_in);
    const Index shared = a * d_in + v * d_in - a * a - v * v;
    if (layer.decay != StackDecay::none) {
        const Index each = a * d_in + d_out * v - 1;
        return layer.groups * (shared + layer.heads_of_group() * each);
    }
    return layer.groups * (shared + rank_locus(d_out * v, a * d_in, layer.heads_of_group()));
}

bool is_plain(const StackLayer& layer) {
    return layer.score == StackScore::linear && !layer.rotary && !layer.query_bias &&
           !layer.key_bias && !layer.value_bias && !layer.output_bias &&
           layer.norm == StackNorm::none && !layer.mlp_biases &&
           (layer.activation == Activation::none || layer.activation == Activation::square ||
            layer.activation == Activation::cube);
}

/// W₂ σ(W₁x): m neurons up to scale, among quadratic or cubic maps.
Index mlp_bound(const StackLayer& layer, Index d) {
    const Index monomials = layer.activation == Activation::square ? d * (d + 1) / 2 : cubics(d);
    return std::min(layer.width * (2 * d - 1), d * monomials);
}

/// Layers without residual and MLP: layer l maps r_{l−1} to r_l numbers, r_l the rank of all O_h.
/// A basis change of the r_l numbers between two layers is lost where those of some layer are
/// independent functions. They are if r_l ≤ r_{l−1}: let head h give the monomials S_ph x_h for v
/// of the p. Heads that share keys cannot do so with one token.
Index without_residual(const StackShape& shape, Index tokens) {
    Index total = 0;
    Index d_in = shape.d;
    for (std::size_t l = 0; l < shape.layers.size(); ++l) {
        const StackLayer& layer = shape.layers[l];
        const bool is_last = l + 1 == shape.layers.size();
        const Index d_out = is_last ? shape.d : std::min(shape.d, layer.heads * layer.value_size);
        const bool independent = d_out <= d_in && (layer.groups == layer.heads || tokens > 1);
        total += attention_bound(layer, d_in, d_out, tokens) -
                 (!is_last && independent ? d_out * d_out : 0);
        d_in = d_out;
    }
    return total;
}

}  // namespace

Index attention_bound(const StackLayer& layer, Index d_in, Index d_out, Index tokens) {
    const Index heads = layer.groups == layer.heads
                            ? by_heads(layer, d_in, d_out)
                            : std::min(by_groups(layer, d_in, d_out), by_heads(layer, d_in, d_out));
    const Index learned = layer.decay == StackDecay::learned ? layer.heads : 0;
    return std::min(heads, monomials(layer, d_in, d_out, tokens)) + learned;
}

std::optional<Index> dimension_bound(const StackShape& shape, Index tokens) {
    bool residual = false;
    bool has_mlp = false;
    Index sum = 0;
    for (const StackLayer& layer : shape.layers) {
        if (!is_plain(layer)) {
            return std::nullopt;
        }
        residual = residual || layer.residual;
        has_mlp = has_mlp || layer.activation != Activation::none;
        sum += attention_bound(layer, shape.d, shape.d, tokens);
        if (layer.activation != Activation::none) {
            sum += mlp_bound(layer, shape.d);
        }
    }
    if (shape.final_norm != StackNorm::none) {
        return std::nullopt;
    }
    return residual || has_mlp ? sum : std::min(sum, without_residual(shape, tokens));
}

}  // namespace attest

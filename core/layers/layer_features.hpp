#pragma once

#include "core/layers/layer_state.hpp"

#include <vector>

namespace attest {

/// One input of a layer in the layer's arithmetic. Of every token a column of d entries, and one of
/// φ (of `delta` the key), gates and β where the layer has them; else those columns are empty.
template <class Value>
struct LayerSequence {
    struct Token {
        std::vector<Value> z;
        std::vector<Value> phi;
        std::vector<Value> gates;
        std::vector<Value> beta;
    };

    std::vector<Token> tokens;
    std::vector<Value> asking;  ///< z or φ of the token that asks, or x
};

/// The ψ features s ⊗ u of one input of any layer but `moments`, block by block as layout_of says.
template <class Arithmetic>
[[nodiscard]] std::vector<typename Arithmetic::Value> layer_features(
    const Arithmetic& arithmetic,
    const Layer& layer,
    const LayerInput& input,
    const LayerSequence<typename Arithmetic::Value>& sequence) {
    using Value = typename Arithmetic::Value;
    const FeatureLayout layout = layout_of(layer, input);
    LayerState state(layer, input, arithmetic);
    for (const auto& [z, phi, gates, beta] : sequence.tokens) {
        state.add({z.data(), phi.data(), gates.data(), beta.data()});
    }
    std::vector<Value> s(static_cast<std::size_t>(layout.q()));
    std::vector<Value> u(static_cast<std::size_t>(layout.m()));
    state.write_state(s.data());
    state.write_query(sequence.asking.data(), u.data());
    std::vector<Value> features;
    for (Index i = 0; i < layout.psi(); ++i) {
        const auto [p, l] = layout.factors(i);
        features.push_back(
            arithmetic.multiply(s[static_cast<std::size_t>(p)], u[static_cast<std::size_t>(l)]));
    }
    return features;
}

}  // namespace attest

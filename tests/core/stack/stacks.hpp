#pragma once

#include "core/data/dataset.hpp"
#include "core/rng/stream.hpp"
#include "core/stack/stack_file.hpp"

namespace attest::test {

/// As many layers alike, of heads with their own keys and values.
inline StackShape stack_shape(Index d, Index a, Index v, Index heads, Index layers) {
    StackLayer layer;
    layer.heads = heads;
    layer.groups = heads;
    layer.key_size = a;
    layer.value_size = v;
    StackShape shape;
    shape.d = d;
    shape.layers.assign(static_cast<std::size_t>(layers), layer);
    return shape;
}

/// The same with a change of every layer.
template <class Change>
StackShape stack_shape(Index d, Index a, Index v, Index heads, Index layers, const Change& change) {
    StackShape shape = stack_shape(d, a, v, heads, layers);
    for (StackLayer& layer : shape.layers) {
        change(layer);
    }
    return shape;
}

/// Small integers as parameters, different for each seed; 0 is none of them.
inline Stack integer_stack(const StackShape& shape, std::uint64_t seed) {
    Draws draws(Stream(seed).child("stack"));
    Stack stack;
    stack.shape = shape;
    for (Index k = 0; k < layout_of(shape).num_parameters; ++k) {
        const auto magnitude = static_cast<double>(1 + draws.below(3));
        stack.parameters.push_back(draws.below(2) == 0 ? magnitude : -magnitude);
    }
    for (const StackLayer& layer : shape.layers) {
        StackLayerConstants constants;
        for (Index h = 0; layer.decay == StackDecay::fixed && h < layer.heads; ++h) {
            constants.decays.push_back(1.0 / static_cast<double>(Index{2} << h));
        }
        for (Index k = 0; layer.rotary && k < layer.key_size / 2; ++k) {
            constants.angles.push_back(1.0 / static_cast<double>(k + 1));
        }
        stack.constants.push_back(constants);
    }
    return stack;
}

/// Sequences of small integers.
inline Dataset integer_sequences(Index num, Index d, Index tokens, std::uint64_t seed) {
    Draws draws(Stream(seed).child("sequences"));
    Matrix all(d, num * tokens);
    for (Index k = 0; k < all.size(); ++k) {
        all(k) = static_cast<double>(draws.below(7)) - 3.0;
    }
    Dataset data;
    data.tokens = TokenMatrix(std::move(all));
    for (Index i = 0; i <= num; ++i) {
        data.offsets.push_back(i * tokens);
    }
    return data;
}

}  // namespace attest::test

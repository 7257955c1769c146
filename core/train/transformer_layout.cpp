#include "core/train/transformer_layout.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"

#include <cmath>

namespace attest {

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

}  // namespace attest

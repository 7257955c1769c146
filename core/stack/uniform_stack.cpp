#include "core/stack/uniform_stack.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"

#include <algorithm>

namespace attest {

StackShape shape_of(const UniformStack& sizes) {
    require(sizes.d >= 1 && sizes.layers >= 1 && sizes.layer.heads >= 1,
            "stack: got d = {}, {} layers and {} heads, expected at least 1 of each",
            sizes.d,
            sizes.layers,
            sizes.layer.heads);
    StackLayer layer = sizes.layer;
    layer.groups = sizes.groups == 0 ? layer.heads : sizes.groups;
    layer.key_size =
        sizes.key_size == 0 ? std::max(Index{1}, sizes.d / layer.heads) : sizes.key_size;
    layer.value_size = sizes.value_size == 0 ? layer.key_size : sizes.value_size;
    layer.width = sizes.width;
    if (layer.activation != Activation::none && sizes.width == 0) {
        layer.width = 4 * sizes.d;
    }
    StackShape shape;
    shape.d = sizes.d;
    shape.layers.assign(static_cast<std::size_t>(sizes.layers), layer);
    shape.readout = sizes.readout;
    shape.final_norm = sizes.final_norm;
    shape.final_epsilon = layer.epsilon;
    require_sound(shape);
    return shape;
}

StackLayer with_biases(StackLayer layer, std::string_view letters, std::string_view what) {
    for (const char letter : letters) {
        switch (letter) {
            case 'q':
                layer.query_bias = true;
                break;
            case 'k':
                layer.key_bias = true;
                break;
            case 'v':
                layer.value_bias = true;
                break;
            case 'o':
                layer.output_bias = true;
                break;
            case 'm':
                layer.mlp_biases = true;
                break;
            default:
                throw UnknownName(
                    formatted("{}: got {}, expected letters of qkvom", what, in_quotes(letters)));
        }
    }
    return layer;
}

}  // namespace attest

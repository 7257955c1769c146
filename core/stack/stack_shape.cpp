#include "core/stack/stack_shape.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"

namespace attest {

namespace {

constexpr Index kMaxStackSize = 4096;
constexpr Index kMaxStackLayers = 256;
constexpr Index kMaxHeads = 256;

void require_size(std::string_view what, Index layer, Index size, Index largest) {
    require(size >= 1 && size <= largest,
            "layer {}: {} is {}, expected 1 to {}",
            layer,
            what,
            size,
            largest);
}

void require_sound(const StackLayer& layer, Index number) {
    require_size("the number of heads", number, layer.heads, kMaxHeads);
    require_size("the number of groups", number, layer.groups, layer.heads);
    require(layer.heads % layer.groups == 0,
            "layer {}: {} heads do not divide into {} groups of equal size",
            number,
            layer.heads,
            layer.groups);
    require_size("the size of a key", number, layer.key_size, kMaxStackSize);
    require_size("the size of a value", number, layer.value_size, kMaxStackSize);
    require(!layer.rotary || layer.key_size % 2 == 0,
            "layer {}: rotary keys turn pairs of entries, and the size of a key is {}",
            number,
            layer.key_size);
    require(layer.decay == StackDecay::none || layer.score == StackScore::linear,
            "layer {}: a decay belongs to linear scores",
            number);
    require(layer.epsilon >= 0.0, "layer {}: the norm's epsilon is negative", number);
    require(layer.activation != Activation::none || layer.width == 0,
            "layer {}: a width belongs to an MLP",
            number);
    if (layer.activation != Activation::none) {
        require_size("the width of the MLP", number, layer.width, 4 * kMaxStackSize);
    }
}

/// Deals out parameters in order.
class ParameterCount {
public:
    [[nodiscard]] Slot next(Index rows, Index cols) {
        const Slot slot{count_, rows, cols};
        count_ += slot.size();
        return slot;
    }

    [[nodiscard]] Slot next_if(bool there, Index rows) {
        Slot slot = there ? next(rows, 1) : Slot{};
        slot.is_vector = true;
        return slot;
    }

    [[nodiscard]] Index count() const { return count_; }

private:
    Index count_ = 0;
};

GroupSlots group_slots(ParameterCount& parameters, const StackLayer& layer, Index d, Index group) {
    GroupSlots slots;
    slots.first_head = group * layer.heads_of_group();
    slots.K = parameters.next(layer.key_size, d);
    slots.V = parameters.next(layer.value_size, d);
    slots.key_bias = parameters.next_if(layer.key_bias, layer.key_size);
    slots.value_bias = parameters.next_if(layer.value_bias, layer.value_size);
    for (Index h = 0; h < layer.heads_of_group(); ++h) {
        HeadSlots head;
        head.Q = parameters.next(layer.key_size, d);
        head.O = parameters.next(d, layer.value_size);
        head.query_bias = parameters.next_if(layer.query_bias, layer.key_size);
        head.decay = parameters.next_if(layer.decay == StackDecay::learned, 1);
        slots.heads.push_back(head);
    }
    return slots;
}

void add_named(std::vector<NamedSlot>& named, const std::string& name, const Slot& slot) {
    if (slot.size() > 0) {
        named.push_back({name, slot});
    }
}

}  // namespace

void require_sound(const StackShape& shape) {
    require(shape.d >= 1 && shape.d <= kMaxStackSize,
            "stack: d is {}, expected 1 to {}",
            shape.d,
            kMaxStackSize);
    const auto layers = static_cast<Index>(shape.layers.size());
    require(layers >= 1 && layers <= kMaxStackLayers,
            "stack: {} layers, expected 1 to {}",
            layers,
            kMaxStackLayers);
    require(shape.final_epsilon >= 0.0, "stack: the final norm's epsilon is negative");
    for (Index l = 0; l < layers; ++l) {
        require_sound(shape.layers[static_cast<std::size_t>(l)], l);
    }
}

StackLayout layout_of(const StackShape& shape) {
    require_sound(shape);
    StackLayout layout;
    ParameterCount parameters;
    for (std::size_t l = 0; l < shape.layers.size(); ++l) {
        const StackLayer& layer = shape.layers[l];
        Sublayer attention;
        attention.first = parameters.count();
        attention.layer = static_cast<Index>(l);
        attention.norm = layer.norm;
        attention.epsilon = layer.epsilon;
        attention.residual = layer.residual;
        attention.gain = parameters.next_if(layer.norm == StackNorm::rms_gain, shape.d);
        for (Index g = 0; g < layer.groups; ++g) {
            attention.groups.push_back(group_slots(parameters, layer, shape.d, g));
        }
        attention.output_bias = parameters.next_if(layer.output_bias, shape.d);
        attention.end = parameters.count();
        layout.sublayers.push_back(attention);
        if (layer.activation != Activation::none) {
            Sublayer mlp;
            mlp.first = parameters.count();
            mlp.layer = static_cast<Index>(l);
            mlp.norm = layer.norm;
            mlp.epsilon = layer.epsilon;
            mlp.residual = layer.residual;
            mlp.gain = parameters.next_if(layer.norm == StackNorm::rms_gain, shape.d);
            mlp.mlp.W1 = parameters.next(layer.width, shape.d);
            mlp.mlp.b1 = parameters.next_if(layer.mlp_biases, layer.width);
            mlp.mlp.W2 = parameters.next(shape.d, layer.width);
            mlp.mlp.b2 = parameters.next_if(layer.mlp_biases, shape.d);
            mlp.end = parameters.count();
            layout.sublayers.push_back(mlp);
        }
    }
    if (shape.final_norm != StackNorm::none) {
        Sublayer norm;
        norm.first = parameters.count();
        norm.layer = static_cast<Index>(shape.layers.size());
        norm.norm = shape.final_norm;
        norm.epsilon = shape.final_epsilon;
        norm.gain = parameters.next_if(shape.final_norm == StackNorm::rms_gain, shape.d);
        norm.end = parameters.count();
        layout.sublayers.push_back(norm);
    }
    layout.num_parameters = parameters.count();
    return layout;
}

std::vector<NamedSlot> named_slots(const StackShape& shape) {
    std::vector<NamedSlot> named;
    for (const Sublayer& sublayer : layout_of(shape).sublayers) {
        const std::string layer =
            sublayer.layer < static_cast<Index>(shape.layers.size())
                ? formatted("layers.{}.{}", sublayer.layer, sublayer.is_mlp() ? "mlp." : "")
                : "final.";
        add_named(named, layer + "gain", sublayer.gain);
        for (std::size_t g = 0; g < sublayer.groups.size(); ++g) {
            const GroupSlots& group = sublayer.groups[g];
            const std::string prefix = formatted("{}groups.{}.", layer, g);
            add_named(named, prefix + "K", group.K);
            add_named(named, prefix + "V", group.V);
            add_named(named, prefix + "key_bias", group.key_bias);
            add_named(named, prefix + "value_bias", group.value_bias);
            for (std::size_t h = 0; h < group.heads.size(); ++h) {
                const HeadSlots& head = group.heads[h];
                const std::string of_head =
                    formatted("{}heads.{}.", layer, group.first_head + static_cast<Index>(h));
                add_named(named, of_head + "Q", head.Q);
                add_named(named, of_head + "O", head.O);
                add_named(named, of_head + "query_bias", head.query_bias);
                add_named(named, of_head + "decay", head.decay);
            }
        }
        add_named(named, layer + "output_bias", sublayer.output_bias);
        add_named(named, layer + "W1", sublayer.mlp.W1);
        add_named(named, layer + "b1", sublayer.mlp.b1);
        add_named(named, layer + "W2", sublayer.mlp.W2);
        add_named(named, layer + "b2", sublayer.mlp.b2);
    }
    return named;
}

std::string stack_line(const StackShape& shape, Index tokens) {
    if (shape.final_norm != StackNorm::none) {
        throw NotAvailable(
            "a proof about a stack with a norm is not written: norms are no integers");
    }
    return formatted("stack dimension {} layers {} tokens {} readout {}",
                     shape.d,
                     shape.layers.size(),
                     tokens,
                     name_of(kReadouts, shape.readout));
}

std::string layer_line(const StackLayer& layer) {
    if (layer.norm != StackNorm::none || layer.activation == Activation::gelu) {
        throw NotAvailable(
            "a proof about a stack with a norm or gelu is not written: they are no integers");
    }
    std::string biases;
    for (const auto& [there, letter] : {std::pair{layer.query_bias, 'q'},
                                        {layer.key_bias, 'k'},
                                        {layer.value_bias, 'v'},
                                        {layer.output_bias, 'o'},
                                        {layer.mlp_biases, 'm'}}) {
        if (there) {
            biases += letter;
        }
    }
    return formatted(
        "stack-layer {} heads {} groups {} key {} value {} residual {} causal {} rotary {} decay "
        "{} "
        "biases {} mlp {} width {}",
        name_of(kStackScores, layer.score),
        layer.heads,
        layer.groups,
        layer.key_size,
        layer.value_size,
        layer.residual ? 1 : 0,
        layer.causal ? 1 : 0,
        layer.rotary ? 1 : 0,
        name_of(kStackDecays, layer.decay),
        biases.empty() ? "none" : biases,
        name_of(kActivations, layer.activation),
        layer.width);
}

namespace {

std::string in_words(const StackLayer& layer) {
    std::string text = formatted("{} {} of sizes {} and {}",
                                 layer.heads,
                                 layer.heads == 1 ? "head" : "heads",
                                 layer.key_size,
                                 layer.value_size);
    if (layer.groups != layer.heads) {
        text += " in " + plural(layer.groups, "group");
    }
    const auto add = [&text](bool there, std::string_view word) {
        if (there) {
            text += formatted(", {}", word);
        }
    };
    add(layer.score == StackScore::softmax, "softmax");
    add(layer.residual, "residual");
    add(layer.causal, "causal");
    add(layer.rotary, "rotary");
    add(layer.decay == StackDecay::fixed, "fixed decays");
    add(layer.decay == StackDecay::learned, "learned decays");
    add(layer.query_bias || layer.key_bias || layer.value_bias || layer.output_bias, "biases");
    add(layer.norm == StackNorm::rms, "RMS norm without gain");
    add(layer.norm == StackNorm::rms_gain, "RMS norm");
    if (layer.activation != Activation::none) {
        text += formatted(", {} MLP of width {}{}",
                          name_of(kActivations, layer.activation),
                          layer.width,
                          layer.mlp_biases ? " with biases" : "");
    }
    return text;
}

}  // namespace

std::string in_words(const StackShape& shape) {
    const std::size_t count = shape.layers.size();
    std::string text = formatted("{} {}", count, count == 1 ? "layer" : "layers");
    bool alike = true;
    for (const StackLayer& layer : shape.layers) {
        alike = alike && layer == shape.layers.front();
    }
    if (alike) {
        text += (count == 1 ? ": " : ", each ") + in_words(shape.layers.front());
    } else {
        for (std::size_t l = 0; l < count; ++l) {
            text += formatted("{} {}", l == 0 ? ":" : ";", in_words(shape.layers[l]));
        }
    }
    if (shape.final_norm != StackNorm::none) {
        text += "; a final RMS norm";
    }
    return text;
}

}  // namespace attest

#include "core/stack/stack_file.hpp"

#include "core/base/text.hpp"
#include "core/data/model_arrays.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <set>

namespace attest {

namespace {

using Json = nlohmann::ordered_json;

constexpr Index kStackVersion = 1;
constexpr std::string_view kFixStack = "write it as docs/formats.md says";

/// Reads the keys of an object; what is left over at the end is refused.
class ObjectReader {
public:
    ObjectReader(const Json& object, std::string where)
        : object_(object), where_(std::move(where)) {
        require(object_.is_object(), "{} is no JSON object", where_);
    }

    template <class Value>
    [[nodiscard]] Value get(const std::string& key, Value otherwise) {
        read_.insert(key);
        if (!object_.contains(key)) {
            return otherwise;
        }
        return value<Value>(key);
    }

    template <class Value>
    [[nodiscard]] Value require_value(const std::string& key) {
        read_.insert(key);
        require(object_.contains(key), "{} has no key {}; {}", where_, key, kFixStack);
        return value<Value>(key);
    }

    template <class Enum, std::size_t N>
    [[nodiscard]] Enum choice(const std::string& key, const Choices<Enum, N>& choices) {
        const auto name = get<std::string>(key, std::string(choices.front().name));
        const std::optional<Enum> found = find_choice(choices, name);
        require(found.has_value(), "{}: {} reads {}; {}", where_, key, in_quotes(name), kFixStack);
        return *found;
    }

    void finish() const {
        for (const auto& [key, unused] : object_.items()) {
            require(read_.count(key) == 1, "{} has an unknown key {}", where_, in_quotes(key));
        }
    }

private:
    template <class Value>
    [[nodiscard]] Value value(const std::string& key) const {
        const Json& found = object_.at(key);
        bool fits = false;
        if constexpr (std::is_same_v<Value, bool>) {
            fits = found.is_boolean();
        } else if constexpr (std::is_same_v<Value, Index>) {
            fits = found.is_number_integer() && std::abs(found.get<double>()) <= 1e9;
        } else if constexpr (std::is_same_v<Value, double>) {
            fits = found.is_number() && std::isfinite(found.get<double>());
        } else {
            fits = found.is_string();
        }
        require(fits, "{}: {} reads {}; {}", where_, key, in_quotes(found.dump()), kFixStack);
        return found.get<Value>();
    }

    const Json& object_;
    std::string where_;
    std::set<std::string> read_;
};

Json layer_json(const StackLayer& layer) {
    return {{"score", name_of(kStackScores, layer.score)},
            {"heads", layer.heads},
            {"groups", layer.groups},
            {"key_size", layer.key_size},
            {"value_size", layer.value_size},
            {"residual", layer.residual},
            {"causal", layer.causal},
            {"rotary", layer.rotary},
            {"decay", name_of(kStackDecays, layer.decay)},
            {"query_bias", layer.query_bias},
            {"key_bias", layer.key_bias},
            {"value_bias", layer.value_bias},
            {"output_bias", layer.output_bias},
            {"norm", name_of(kStackNorms, layer.norm)},
            {"epsilon", layer.epsilon},
            {"mlp", name_of(kActivations, layer.activation)},
            {"width", layer.width},
            {"mlp_biases", layer.mlp_biases}};
}

StackLayer layer_from_json(const Json& json, const std::string& where) {
    ObjectReader reader(json, where);
    StackLayer layer;
    layer.score = reader.choice("score", kStackScores);
    layer.heads = reader.require_value<Index>("heads");
    layer.groups = reader.get<Index>("groups", layer.heads);
    layer.key_size = reader.require_value<Index>("key_size");
    layer.value_size = reader.get<Index>("value_size", layer.key_size);
    layer.residual = reader.get("residual", false);
    layer.causal = reader.get("causal", false);
    layer.rotary = reader.get("rotary", false);
    layer.decay = reader.choice("decay", kStackDecays);
    layer.query_bias = reader.get("query_bias", false);
    layer.key_bias = reader.get("key_bias", false);
    layer.value_bias = reader.get("value_bias", false);
    layer.output_bias = reader.get("output_bias", false);
    layer.norm = reader.choice("norm", kStackNorms);
    layer.epsilon = reader.get("epsilon", 0.0);
    layer.activation = reader.choice("mlp", kActivations);
    layer.width = reader.get<Index>("width", 0);
    layer.mlp_biases = reader.get("mlp_biases", false);
    reader.finish();
    return layer;
}

std::vector<Index> array_shape(const Slot& slot) {
    return slot.is_vector ? std::vector<Index>{slot.rows}
                          : std::vector<Index>{slot.rows, slot.cols};
}

std::vector<double> read_array(const NpzReader& file,
                               const std::string& key,
                               const std::vector<Index>& shape) {
    require(file.contains(key),
            "{}: the array {} is missing, expected shape {}",
            file.name(),
            key,
            shape_text(shape));
    NpyArray array = file.read(key);
    if (array.shape != shape) {
        refuse_shape(file, key, shape_text(shape), kFixStack);
    }
    require_finite(file, key, array, "a stack has finite numbers");
    return std::move(array.data);
}

}  // namespace

std::string shape_json(const StackShape& shape) {
    Json json{{"version", kStackVersion},
              {"d", shape.d},
              {"readout", name_of(kReadouts, shape.readout)},
              {"final_norm", name_of(kStackNorms, shape.final_norm)},
              {"final_epsilon", shape.final_epsilon},
              {"layers", Json::array()}};
    for (const StackLayer& layer : shape.layers) {
        json["layers"].push_back(layer_json(layer));
    }
    return json.dump();
}

StackShape shape_from_json(const std::string& text, const std::string& where) {
    const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
    require(!json.is_discarded(), "{} is no JSON; {}", where, kFixStack);
    ObjectReader reader(json, where);
    const auto version = reader.require_value<Index>("version");
    require(version == kStackVersion,
            "{} is of version {}, expected {}",
            where,
            version,
            kStackVersion);
    StackShape shape;
    shape.d = reader.require_value<Index>("d");
    shape.readout = reader.choice("readout", kReadouts);
    shape.final_norm = reader.choice("final_norm", kStackNorms);
    shape.final_epsilon = reader.get("final_epsilon", 0.0);
    static_cast<void>(reader.get<std::string>("name", ""));
    require(json.contains("layers") && json.at("layers").is_array(),
            "{} has no list of layers; {}",
            where,
            kFixStack);
    for (const Json& layer : json.at("layers")) {
        shape.layers.push_back(
            layer_from_json(layer, formatted("{}: layer {}", where, shape.layers.size())));
    }
    for (const auto& [key, unused] : json.items()) {
        const std::set<std::string> known{
            "version", "d", "readout", "final_norm", "final_epsilon", "layers", "name"};
        require(known.count(key) == 1, "{} has an unknown key {}", where, in_quotes(key));
    }
    try {
        require_sound(shape);
    } catch (const InvalidInput& error) {
        throw InvalidInput(formatted("{}: {}", where, error.what()));
    }
    return shape;
}

void require_sound(const Stack& stack) {
    const StackLayout layout = layout_of(stack.shape);
    require(static_cast<Index>(stack.parameters.size()) == layout.num_parameters,
            "stack: got {} parameters, expected {}",
            stack.parameters.size(),
            layout.num_parameters);
    require(stack.constants.size() == stack.shape.layers.size(),
            "stack: got constants of {} layers, expected {}",
            stack.constants.size(),
            stack.shape.layers.size());
    const auto finite = [](const std::vector<double>& values) {
        return std::all_of(
            values.begin(), values.end(), [](double value) { return std::isfinite(value); });
    };
    require(finite(stack.parameters), "stack: a parameter is no finite number");
    for (std::size_t l = 0; l < stack.constants.size(); ++l) {
        const StackLayer& layer = stack.shape.layers[l];
        const StackLayerConstants& constants = stack.constants[l];
        const Index decays = layer.decay == StackDecay::fixed ? layer.heads : 0;
        const Index angles = layer.rotary ? layer.key_size / 2 : 0;
        require(static_cast<Index>(constants.decays.size()) == decays,
                "layer {}: got {} decays, expected {}",
                l,
                constants.decays.size(),
                decays);
        require(static_cast<Index>(constants.angles.size()) == angles,
                "layer {}: got {} angles, expected {}",
                l,
                constants.angles.size(),
                angles);
        require(finite(constants.decays) && finite(constants.angles),
                "layer {}: a decay or angle is no finite number",
                l);
    }
}

bool is_stack_file(const NpzReader& file) {
    return file.contains("stack");
}

Stack read_stack(const NpzReader& file) {
    require(is_stack_file(file),
            "{}: the key stack is missing: this is no stack of layers",
            file.name());
    Stack stack;
    stack.shape = shape_from_json(read_text(file, "stack", "a JSON text"), file.where("stack"));
    std::set<std::string> known{"stack", "meta"};
    for (const NamedSlot& each : named_slots(stack.shape)) {
        const std::vector<double> values = read_array(file, each.name, array_shape(each.slot));
        stack.parameters.insert(stack.parameters.end(), values.begin(), values.end());
        known.insert(each.name);
    }
    for (std::size_t l = 0; l < stack.shape.layers.size(); ++l) {
        const StackLayer& layer = stack.shape.layers[l];
        StackLayerConstants constants;
        if (layer.decay == StackDecay::fixed) {
            const std::string key = formatted("layers.{}.decays", l);
            constants.decays = read_array(file, key, {layer.heads});
            known.insert(key);
        }
        if (layer.rotary) {
            const std::string key = formatted("layers.{}.angles", l);
            constants.angles = read_array(file, key, {layer.key_size / 2});
            known.insert(key);
        }
        stack.constants.push_back(std::move(constants));
    }
    for (const std::string& key : file.keys()) {
        require(known.count(key) == 1,
                "{}: {} is no array of this stack; leave it out or name it in the architecture",
                file.name(),
                key);
    }
    stack.meta = read_meta(file);
    return stack;
}

Stack read_stack(const std::string& path) {
    return read_stack(NpzReader::open(path));
}

namespace {

NpzWriter writer_of(const Stack& stack) {
    require_sound(stack);
    NpzWriter file;
    add_text(file, "stack", shape_json(stack.shape));
    for (const NamedSlot& each : named_slots(stack.shape)) {
        NpyArray array{DType::float64, array_shape(each.slot), {}};
        const auto first = stack.parameters.begin() + each.slot.first;
        array.data.assign(first, first + each.slot.size());
        file.add(each.name, array);
    }
    for (std::size_t l = 0; l < stack.constants.size(); ++l) {
        const auto add = [&](const char* name, const std::vector<double>& values) {
            if (!values.empty()) {
                file.add(formatted("layers.{}.{}", l, name),
                         {DType::float64, {static_cast<Index>(values.size())}, values});
            }
        };
        add("decays", stack.constants[l].decays);
        add("angles", stack.constants[l].angles);
    }
    if (!stack.meta.empty()) {
        add_meta(file, stack.meta);
    }
    return file;
}

}  // namespace

void write_stack(const std::string& path, const Stack& stack) {
    writer_of(stack).write(path);
}

std::vector<std::byte> stack_bytes(const Stack& stack) {
    return writer_of(stack).bytes();
}

StackAt<double> in_doubles(const Stack& stack) {
    require_sound(stack);
    StackAt<double> at{stack.shape, stack.parameters, {}};
    for (const StackLayerConstants& each : stack.constants) {
        LayerConstants<double> constants{each.decays, {}, {}};
        for (const double angle : each.angles) {
            constants.cosine.push_back(std::cos(angle));
            constants.sine.push_back(std::sin(angle));
        }
        at.constants.push_back(std::move(constants));
    }
    return at;
}

Vector outputs(const Stack& stack, const Matrix& X) {
    require(X.rows() == stack.shape.d && X.cols() >= 1,
            "outputs: the input is {}x{}, expected {} rows and at least one column",
            X.rows(),
            X.cols(),
            stack.shape.d);
    return stack_outputs(in_doubles(stack), X);
}

}  // namespace attest

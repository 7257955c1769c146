#include "core/trained/imported_layer.hpp"

#include "core/base/choice.hpp"
#include "core/exact/dyadic.hpp"
#include "core/layers/other_layers.hpp"

#include <algorithm>
#include <cmath>

namespace attest {

namespace {

constexpr Choices<TrainedLayer, 5> kLayers{{{TrainedLayer::linear, "linear"},
                                            {TrainedLayer::retention, "retention"},
                                            {TrainedLayer::lightning, "lightning"},
                                            {TrainedLayer::simple_gla, "simple-gla"},
                                            {TrainedLayer::torch_mha, "torch-mha"}}};

constexpr int kTableBits = 100;

/// A query-key matrix and the kernel that weighs its products.
struct Product {
    Matrix Q;
    Kernel kernel;
};

Kernel decay(const Rational& rate) {
    return {KernelKind::decay, rate, 0, {}};
}

/// γ of head h.
Rational decay_rate(const ImportRequest& request, Index h) {
    const auto number = static_cast<double>(h);
    if (request.as == TrainedLayer::retention) {
        return Rational(1 - power_of_two(-5 - static_cast<int>(h)));
    }
    const double share =
        1.0 - static_cast<double>(request.layer_index) / static_cast<double>(request.num_layers);
    return to_rational(std::exp(-8.0 / static_cast<double>(request.heads) * share * number));
}

/// The nearest multiple of 2^−kTableBits.
Rational on_grid(double value) {
    const Dyadic exact = dyadic(value);
    if (exact.exponent >= -kTableBits) {
        return to_rational(value);
    }
    return Rational(to_rational(std::nearbyint(std::ldexp(value, kTableBits))) *
                    power_of_two(-kTableBits));
}

template <class Wave>
Kernel wave_table(double rate, double frequency, Index length, Wave wave) {
    Kernel kernel{KernelKind::table, 1, 0, {}};
    for (Index delta = 0; delta < length; ++delta) {
        const auto distance = static_cast<double>(delta);
        kernel.values.push_back(on_grid(std::pow(rate, distance) * wave(frequency * distance)));
    }
    return kernel;
}

/// R_s k · R_t q, coordinates i and i + d_k/2 turning together by ω_i a token, is
/// Σ_i cos ω_i(t−s) (k_i q_i + k'_i q'_i) + sin ω_i(t−s) (k'_i q_i − k_i q'_i).
std::vector<Product> rotated(const ProjectedHead& head, const ImportRequest& request, double rate) {
    const Index half = head.keys.rows() / 2;
    require(head.keys.rows() % 2 == 0,
            "import: rotation needs an even key size, got {}",
            head.keys.rows());
    std::vector<Product> products;
    for (Index i = 0; i < half; ++i) {
        const double frequency =
            std::pow(request.rotary_base, -static_cast<double>(i) / static_cast<double>(half));
        const auto k = head.keys.row(i);
        const auto k_turned = head.keys.row(i + half);
        const auto q = head.queries.row(i);
        const auto q_turned = head.queries.row(i + half);
        const auto cosine = [](double angle) { return std::cos(angle); };
        const auto sine = [](double angle) { return std::sin(angle); };
        products.push_back({k.transpose() * q + k_turned.transpose() * q_turned,
                            wave_table(rate, frequency, *request.rotary, cosine)});
        products.push_back({k_turned.transpose() * q - k.transpose() * q_turned,
                            wave_table(rate, frequency, *request.rotary, sine)});
    }
    return products;
}

std::vector<Product> products_of(const ProjectedHead& head, const ImportRequest& request, Index h) {
    const bool decays =
        request.as == TrainedLayer::retention || request.as == TrainedLayer::lightning;
    if (request.as == TrainedLayer::retention && *request.rotary > 0) {
        return rotated(head, request, decay_rate(request, h).convert_to<double>());
    }
    return {{head.keys.transpose() * head.queries,
             decay(decays ? decay_rate(request, h) : Rational(1))}};
}

void check_request(const ImportRequest& request) {
    require(request.as != TrainedLayer::retention || request.rotary.has_value(),
            "import: --rotary: got nothing, expected the longest sequence that positions are "
            "rotated for, "
            "or 0 where the layer does not rotate");
    require(request.as != TrainedLayer::simple_gla || request.heads == 1 || request.head >= 0,
            "import: --head: got nothing, expected one head: each has gates of its own");
    require(request.head < request.heads,
            "import: --head: got {}, expected less than {}",
            request.head,
            request.heads);
    if (request.as != TrainedLayer::lightning) {
        return;
    }
    require(request.num_layers > 0,
            "import: --num-layers: got nothing, expected how many layers the model has; with "
            "--layer-index it gives lightning's decays");
    require(request.layer_index >= 0 && request.layer_index < request.num_layers,
            "import: --layer-index: got {}, expected less than {}",
            request.layer_index,
            request.num_layers);
}

/// Frequencies in the file belong to a layer that rotates, and by this base, to what bfloat16
/// keeps of them.
void check_frequencies(const Weights& weights, const ImportRequest& request) {
    const auto found = weights.tensors.find(std::string(kFrequencies));
    if (found == weights.tensors.end()) {
        return;
    }
    const std::string where = weights.where(found->first);
    require(request.as == TrainedLayer::retention && *request.rotary > 0,
            "{}: queries and keys are turned by their place; import as retention with --rotary, or "
            "record what turns them",
            where);
    const std::vector<double>& values = found->second.values;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double expected = std::pow(
            request.rotary_base, -static_cast<double>(i) / static_cast<double>(values.size()));
        require(std::abs(values[i] - expected) <= 0.01 * expected,
                "{}: holds {} at {}, expected {}; see --rotary-base",
                where,
                values[i],
                i,
                expected);
    }
}

/// Index of the kernel among those so far, where it is put if it is new.
Index shared(std::vector<Kernel>& kernels, const Kernel& kernel) {
    const auto found = std::find(kernels.begin(), kernels.end(), kernel);
    if (found == kernels.end()) {
        kernels.push_back(kernel);
        return std::ssize(kernels) - 1;
    }
    return found - kernels.begin();
}

/// One kernel that weighs all tokens alike is the paper's sum, which has none.
bool all_alike(const std::vector<Kernel>& kernels) {
    return kernels.size() == 1 && kernels.front() == decay(1);
}

/// Heads of the paper's layer stand in the file as they always did.
void keep_as_parameters(Model& model) {
    for (LayerHead& head : model.layer_heads.heads) {
        model.heads.heads.push_back({std::move(head.V), std::move(head.Q)});
    }
    model.layer_heads = {};
    model.input = {};
}

}  // namespace

std::string_view to_string(TrainedLayer layer) {
    return name_of(kLayers, layer);
}

TrainedLayer trained_layer_named(std::string_view name) {
    if (const std::string way = way_to_ask(name); !way.empty()) {
        throw UnknownName(
            formatted("import: --as: got '{}', which no weights alone make: {}", name, way));
    }
    return choice_named("import: --as", name, kLayers);
}

std::vector<std::string> trained_layer_names() {
    std::vector<std::string> names;
    for (const Choice<TrainedLayer>& choice : kLayers) {
        names.emplace_back(choice.name);
    }
    return names;
}

Model imported_layer(const Weights& weights, const ImportRequest& request) {
    check_request(request);
    check_frequencies(weights, request);
    const bool gates = request.as == TrainedLayer::simple_gla;
    const WeightNames names =
        request.as == TrainedLayer::torch_mha ? WeightNames::packed : WeightNames::separate;
    const Projections from =
        read_projections(weights, names, request.heads, request.key_heads, request.output, gates);
    Model model;
    model.d = from.d;
    model.o = from.o;
    model.heads = {from.d, from.o, {}};
    model.input.d = from.d;
    model.layer.affine = from.biased;
    model.layer.gates = gates ? GateForm::scalar : GateForm::none;
    const Index skipped = from.biased ? 0 : 1;
    const Index size = from.d + 1 - skipped;
    for (Index h = 0; h < request.heads; ++h) {
        if (request.head >= 0 && request.head != h) {
            continue;
        }
        const ProjectedHead& head = from.heads[static_cast<std::size_t>(h)];
        const double scale =
            request.scale.value_or(1.0 / std::sqrt(static_cast<double>(head.keys.rows())));
        const Matrix V = (head.output * head.values).rightCols(size);
        for (const Product& product : products_of(head, request, h)) {
            const Matrix Q = scale * product.Q.bottomRightCorner(size, size);
            model.layer_heads.heads.push_back({V, Q, shared(model.layer.kernels, product.kernel)});
        }
    }
    if (all_alike(model.layer.kernels)) {
        model.layer.kernels.clear();
    }
    if (from.biased) {
        model.layer_heads.direct = Matrix::Zero(from.o, size);
        model.layer_heads.direct.col(0) = from.output_bias;
    }
    if (model.layer.is_linear()) {
        keep_as_parameters(model);
    }
    return model;
}

}  // namespace attest

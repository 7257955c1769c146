#include "tests/core/questions/planted_layers.hpp"

#include "core/features/coefficients.hpp"
#include "core/features/predict.hpp"
#include "tests/support/problems.hpp"

#include <cmath>

namespace attest::test {

namespace {

constexpr Index kTokens = 4;

Dataset relabelled(const Model& model, Dataset data) {
    data.y = predict(model.P, DatasetSource(data));
    return data;
}

template <class Change>
PlantedLayer changed_layer(const Change& change) {
    PlantedLayer layer = healthy_layer();
    change(layer.data.tokens.own());
    layer.data = relabelled(layer.model, layer.data);
    return layer;
}

}  // namespace

PlantedLayer healthy_layer(Index sequences) {
    const Stream stream = Stream(11).child("planted layer");
    const Parameters theta = normal_parameters(3, 2, 1, stream.child("theta"));
    PlantedLayer layer{{3, 2, coefficients(theta), theta, ""},
                       planted_dataset(theta, sequences, kTokens, stream.child("data"))};
    layer.data = relabelled(layer.model, layer.data);
    return layer;
}

PlantedLayer layer_of_constants() {
    return changed_layer([](Matrix& tokens) {
        tokens.row(0).setConstant(1.0);
        tokens.row(2).setConstant(2.0);
    });
}

PlantedLayer layer_of_repeated_tokens() {
    return changed_layer([](Matrix& tokens) {
        for (Index t = 0; t < tokens.cols(); ++t) {
            tokens.col(t) = Vector(tokens.col(t / kTokens * kTokens));
        }
    });
}

PlantedLayer layer_of_one_hot_tokens() {
    return changed_layer([](Matrix& tokens) {
        for (Index t = 0; t < tokens.cols(); ++t) {
            const bool first = std::signbit(tokens(0, t));
            tokens(0, t) = first ? 1.0 : 0.0;
            tokens(1, t) = first ? 0.0 : 1.0;
        }
    });
}

PlantedLayer layer_with_a_dead_coordinate() {
    return changed_layer([](Matrix& tokens) { tokens.row(1).setZero(); });
}

Dataset fresh_inputs(const PlantedLayer& layer, Index sequences) {
    const Stream stream = Stream(12).child("fresh inputs");
    return relabelled(layer.model, planted_dataset(layer.model.heads, sequences, kTokens, stream));
}

}  // namespace attest::test

#pragma once

#include "core/data/dataset.hpp"
#include "core/data/model_file.hpp"

namespace attest::test {

/// A model of one head and labelled sequences of 4 tokens with 3 entries, ψ = 18; the labels are
/// the model's outputs, so that it is the best layer of the family.
struct PlantedLayer {
    Model model;
    Dataset data;
};

/// Grid normals: nothing is wrong.
[[nodiscard]] PlantedLayer healthy_layer(Index sequences = 60);
/// Coordinates 1 and 3 are constant.
[[nodiscard]] PlantedLayer layer_of_constants();
/// Every token of a sequence is its last one.
[[nodiscard]] PlantedLayer layer_of_repeated_tokens();
/// Coordinates 1 and 2 are one-hot.
[[nodiscard]] PlantedLayer layer_of_one_hot_tokens();
/// Coordinate 2 is 0.
[[nodiscard]] PlantedLayer layer_with_a_dead_coordinate();

/// Other healthy inputs of the same kind, with the model's labels.
[[nodiscard]] Dataset fresh_inputs(const PlantedLayer& layer, Index sequences);

}  // namespace attest::test

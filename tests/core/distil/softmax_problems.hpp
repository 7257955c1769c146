#pragma once

#include "core/distil/softmax_layer.hpp"
#include "core/layers/parse_layer.hpp"
#include "core/rng/sample.hpp"
#include "tasks/iid_entries.hpp"

#include <cmath>
#include <string>

namespace attest::test {

/// Heads of grid normals, scores z_tᵀ Q z of variance about 1 at unit tokens.
[[nodiscard]] inline SoftmaxLayer random_softmax(Index d, Index o, Index heads, Index seed) {
    const Stream stream = Stream(7).child("softmax").child(seed);
    SoftmaxLayer layer{d, o, false, {}, {}, 1.0};
    const auto size = static_cast<double>(d);
    for (Index h = 0; h < heads; ++h) {
        layer.heads.push_back(
            {grid_matrix(grid_normal(), o, d, stream.child("V").child(h)) / std::sqrt(size),
             grid_matrix(grid_normal(), d, d, stream.child("Q").child(h)) / size});
    }
    return layer;
}

/// Sequences of n grid-normal tokens with a layer's outputs for labels, read by a layer of the
/// family.
[[nodiscard]] inline Dataset softmax_data(
    const SoftmaxLayer& layer, const std::string& family, Index n, Index count, Index seed) {
    IidEntriesOptions options;
    options.d = layer.d;
    options.n = {n, n};
    const Stream stream = Stream(8).child("inputs").child(seed);
    Dataset data = labelled_by(layer, materialise(*iid_entries(options, stream), 0, count, 1));
    data.layer = layer_named(family);
    return data;
}

}  // namespace attest::test

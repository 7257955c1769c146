#pragma once

#include "core/data/sources/moments.hpp"
#include "core/exact/scalars.hpp"
#include "core/layers/parse_layer.hpp"
#include "tasks/random_layer.hpp"

#include <string>
#include <vector>

namespace attest::test {

/// Every word of the family, and combinations that have a meaning.
[[nodiscard]] inline std::vector<std::string> layer_texts() {
    return {"linear",
            "decay=1/2",
            "decay=1,31/32",
            "decay=2/3,1/3",
            "window=1,3",
            "lags=2",
            "table=1:1/2:1/4,0:1",
            "decay=1/2 window=2",
            "gates",
            "gates=vector",
            "affine",
            "decay=1,1/2 affine",
            "gates affine",
            "cross",
            "decay=1/2 cross affine",
            "mapped",
            "mapped window=2",
            "mapped gates=vector",
            "delta",
            "delta gates",
            "delta gates=vector",
            "delta gates cross",
            "degree=0",
            "degree=1",
            "degree=2",
            "degree=0..2",
            "moments"};
}

struct LayerCase {
    std::string layer;
    Index d = 2;
    LengthRange n{1, 4};
    LabelKind labels = LabelKind::per_sequence;
    Index count = 6;
    Index levels = 3;  ///< 0: Gaussian entries
    std::uint64_t seed = 1;
};

/// Data of a planted random layer. Supplied moments are examples of one token.
[[nodiscard]] inline Dataset layer_data(const LayerCase& wanted) {
    RandomLayerOptions options;
    options.layer = layer_named(wanted.layer);
    options.d = wanted.d;
    options.n = wanted.n;
    options.labels = wanted.labels;
    options.width = 2;
    options.levels = wanted.levels;
    if (options.layer.form == TokenForm::supplied) {
        options.n = {1, 1};
        options.labels = LabelKind::per_sequence;
    }
    return materialise(*random_layer(options, Stream(wanted.seed)), 0, wanted.count, 1);
}

/// The features of an example from the formulas of docs/families.md: sums over all its tokens with
/// their weights, no recurrence, no packing but at the end. The sequence's first `tokens` tokens
/// count, the last of them or the named query asks.
[[nodiscard]] std::vector<Rational> features_by_definition(const Dataset& data,
                                                           Index sequence,
                                                           Index tokens,
                                                           Index example);

/// The same for every example, one row each.
[[nodiscard]] MatrixOf<Rational> features_by_definition(const Dataset& data);

}  // namespace attest::test

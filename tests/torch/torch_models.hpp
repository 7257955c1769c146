#pragma once

#include "core/train/prefix_data.hpp"
#include "core/train/transformer.hpp"

#include <functional>

namespace attest::test {

/// A loss and its gradient.
struct LossAndGradient {
    double loss = 0.0;
    Vector gradient;
};

/// The loss of core/train on all sequences, written for libtorch and differentiated by it. θ is
/// laid out as in HeadsResidual, LinearLayers and Transformer.
[[nodiscard]] LossAndGradient torch_heads(const PrefixData<double>& data,
                                          const Vector& theta,
                                          Index num_heads);
[[nodiscard]] LossAndGradient torch_layers(const PrefixData<double>& data,
                                           const Vector& theta,
                                           Index num_layers);
[[nodiscard]] LossAndGradient torch_transformer(const PrefixData<double>& data,
                                                const Vector& theta,
                                                const TransformerShape& shape);

}  // namespace attest::test

#pragma once

#include "core/rng/stream.hpp"
#include "tasks/task.hpp"

#include <memory>
#include <string>

namespace attest {

/// Options of the task of random layers.
struct RandomLayerOptions {
    Layer layer;
    Index d = 3;
    Index o = 2;
    LengthRange n{8, 8};
    LabelKind labels = LabelKind::per_sequence;
    Index width = 3;  ///< entries of x (cross), φ (mapped), keys (delta), s and u (moments: width +
                      ///< 1 and width)
    Index levels = 0;  ///< entries are integers up to this size; 0: Gaussian
};

/// Tokens with independent entries, and whatever else the layer reads: x, φ and keys alike, gates
/// uniform in {1/8, …, 8/8}, strengths so that β‖k‖² ≤ 1. Labels y = Pᵀ(s ⊗ u) of planted
/// coefficients with Gaussian entries of variance 1/ψ. Truth: P.
[[nodiscard]] std::unique_ptr<Task> random_layer(const RandomLayerOptions& options,
                                                 const Stream& stream);

/// The task's row in the registry.
[[nodiscard]] std::vector<TaskParameter> random_layer_parameters();
[[nodiscard]] std::unique_ptr<Task> read_random_layer(const ParameterReader& reader,
                                                      const Stream& stream);

}  // namespace attest

#pragma once

#include "core/distil/softmax_layer.hpp"
#include "core/trained/imported_layer.hpp"

#include <string>

namespace attest {

/// Reads a softmax layer, told apart by its arrays: V and Q, the model that `attest import` writes;
/// Theta and W, or truth_Theta and truth_W, the heads of `attest softmax`; anything else is weights
/// of a trained layer (.safetensors or .npz), names behind `prefix`, read as `request` says. Throws
/// InvalidInput of one line where it is none of these.
[[nodiscard]] SoftmaxLayer read_softmax_layer(const std::string& path,
                                              const std::string& prefix,
                                              const ImportRequest& request);

}  // namespace attest

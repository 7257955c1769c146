#pragma once

#include "core/data/model_file.hpp"

namespace attest::cli {

/// P of a model file, from its heads where it holds no P. Throws InvalidInput, naming the file,
/// where a product of heads overflows.
[[nodiscard]] Matrix model_coefficients(const std::string& path, const Model& model);

}  // namespace attest::cli

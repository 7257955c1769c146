#pragma once

#include "core/data/model_file.hpp"
#include "core/features/coefficients.hpp"

#include <string_view>

namespace attest {

/// P of a model as a file holds it (ψ×o): its coefficients, or those of its heads where it has
/// heads only. Throws InvalidInput, naming the model, where a product of heads overflows.
[[nodiscard]] Matrix coefficients(const Model& model, std::string_view name);

}  // namespace attest

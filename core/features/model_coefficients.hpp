#pragma once

#include "core/data/model_file.hpp"
#include "core/features/coefficients.hpp"

namespace attest {

/// P of a model as a file holds it (ψ×o): its coefficients, or those of its heads where it has
/// heads only.
[[nodiscard]] Matrix coefficients(const Model& model);

}  // namespace attest

#pragma once

#include "core/data/model_file.hpp"
#include "core/data/moment_source.hpp"

namespace attest {

/// Whether the source's examples are read by the paper's layer.
[[nodiscard]] bool is_linear(const MomentSource& source);

/// Coefficients learned from a source, with their heads by Algorithm 1's last two steps where its
/// layer has heads. P is ψ×o.
[[nodiscard]] Model model_of(const MomentSource& source, const Matrix& P);

/// Heads of a model, whatever its layer; 0 where it has coefficients only.
[[nodiscard]] Index num_heads(const Model& model);

}  // namespace attest

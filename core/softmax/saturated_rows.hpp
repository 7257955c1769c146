#pragma once

#include "core/softmax/examples.hpp"

namespace attest {

struct SaturatedOptions {
    double residual = 0.02;  ///< of the distance to the nearest other value
    Index most = 60000;      ///< inequalities kept, the source's first
};

struct SaturatedRows {
    Matrix v;         ///< d²×T, unit columns
    Index count = 0;  ///< inequalities of the whole source
};

/// Rows whose label is one token's value, Y_a ≈ Ŵᵀ x_j, for every head to put nearly all its weight
/// on token j: then ⟨v, Θ_i⟩ = x_aᵀ Θ_i (x_j − x_l) > 0 for every i and every l ≠ j. Such rows say
/// nothing about the size of a logit, so sculpting drops them; where heads are large they are most
/// of the rows on which all agree. Ours. One pass, O(N k²
/// d).
[[nodiscard]] SaturatedRows saturated_rows(const SoftmaxSource& source,
                                           const Matrix& W,
                                           const SaturatedOptions& options);

/// Σ W refitted by least squares to the rows that look saturated, first within a tenth of the
/// distance to the nearest other value, then within options.residual: takes most of an error of a
/// few per cent. Ours. Five passes.
[[nodiscard]] Matrix refine_by_saturation(const SoftmaxSource& source,
                                          const Matrix& W,
                                          const SaturatedOptions& options);

}  // namespace attest

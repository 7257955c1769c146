#pragma once

#include "core/stack/stack_shape.hpp"

#include <optional>

namespace attest {

/// A proved upper bound of the functional dimension of linear stacks, from what their layers can
/// be: the monomials of a layer, ranks of K_hᵀQ_h and O_hV_h, heads mixed with each other, and the
/// basis between layers without residual (docs/depth.md, "Bounds"). It covers what vector fields
/// do not: heads that fill all cubic maps, and mixing of heads below full size. Nothing for layers
/// with softmax, norms, biases, rotary keys, relu or gelu, of which the fields say enough.
[[nodiscard]] std::optional<Index> dimension_bound(const StackShape& shape, Index tokens);

/// The same of one linear attention layer from d_in to d_out numbers a token.
[[nodiscard]] Index attention_bound(const StackLayer& layer, Index d_in, Index d_out, Index tokens);

}  // namespace attest

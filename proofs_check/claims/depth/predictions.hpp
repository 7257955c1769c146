#pragma once

#include "core/stack/dimension.hpp"
#include "proofs_check/claims/evidence.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace attest::depth {

/// Layers that are alike, of heads with keys of a numbers and values of v; tokens have d.
struct Sizes {
    Index d = 1;
    Index a = 1;
    Index v = 1;
    Index heads = 1;
    Index layers = 1;
};

/// A stack, and the dimension that a law says it has. Laws are written down in the claims alone:
/// nothing of them enters `dimension`.
struct Prediction {
    StackShape shape;
    Index tokens = 2;
    Index said = 0;
};

/// The stack of these sizes, each head with keys and values of its own, after `change` of a layer.
template <class Change>
[[nodiscard]] StackShape stack_of(const Sizes& sizes, const Change& change) {
    StackLayer layer;
    layer.heads = sizes.heads;
    layer.groups = sizes.heads;
    layer.key_size = sizes.a;
    layer.value_size = sizes.v;
    change(layer);
    StackShape shape;
    shape.d = sizes.d;
    shape.layers.assign(static_cast<std::size_t>(sizes.layers), layer);
    return shape;
}

/// What `law` says of stacks of these sizes.
template <class Change, class Law>
[[nodiscard]] std::vector<Prediction> predictions(const std::vector<Sizes>& all,
                                                  Index tokens,
                                                  const Change& change,
                                                  const Law& law) {
    std::vector<Prediction> said;
    said.reserve(all.size());
    for (const Sizes& sizes : all) {
        said.push_back({stack_of(sizes, change), tokens, law(sizes)});
    }
    return said;
}

/// The same with another law: a planted fault.
template <class Law>
[[nodiscard]] std::vector<Prediction> predicted_by(const std::vector<Sizes>& all,
                                                   std::vector<Prediction> predictions,
                                                   const Law& law) {
    for (std::size_t k = 0; k < all.size(); ++k) {
        predictions[k].said = law(all[k]);
    }
    return predictions;
}

/// The same of the stacks' outputs at the last token alone.
[[nodiscard]] std::vector<Prediction> read_at_the_last(std::vector<Prediction> predictions);

/// Accepted: each dimension is proved, and is the one said. Proved by the ranks of derivative and
/// symmetries at integers, or by a rank that meets an upper bound; the text counts both.
[[nodiscard]] Answer all_proved(const std::string& law, const std::vector<Prediction>& predictions);

/// Accepted: each is proved to be at most the one said, and doubles see that rank.
inline constexpr const char* kMetInDoubles = "double, upper bounds exact";
[[nodiscard]] Answer all_met(const std::string& law, const std::vector<Prediction>& predictions);

/// Accepted: each is proved to be at least the one said, and random integers have no larger rank.
[[nodiscard]] Answer all_reached(const std::string& law,
                                 const std::vector<Prediction>& predictions);

/// The rank of the derivative on so many random examples, at random residues modulo a prime.
[[nodiscard]] Index rank_of_examples(const StackShape& shape, Index tokens, Index examples);

// What several laws are made of.

/// a(2d − a) + v(2d − v), the ranks of KᵀQ and OV of one head.
[[nodiscard]] Index head_ranks(const Sizes& sizes);

/// One linear layer at t ≥ 2, from d numbers a token to d: see linear_layer_between.
[[nodiscard]] Index linear_layer(const Sizes& sizes);

/// Layers with residual connections add up.
[[nodiscard]] Index linear_residual_stack(const Sizes& sizes);

/// Layers without: from r_(l−1) to r_l numbers, r = min(d, Hv) inside, less r² between each two.
[[nodiscard]] Index linear_stack(const Sizes& sizes);

/// H·e: one softmax layer.
[[nodiscard]] Index softmax_layer(const Sizes& sizes);

}  // namespace attest::depth

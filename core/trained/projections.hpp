#pragma once

#include "core/trained/weights.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace attest {

/// What is taken for the layer's output.
enum class ImportedOutput : std::uint8_t {
    projected,  ///< what the output projection makes of the heads: o = its rows
    heads,      ///< the heads side by side, before norm, gate and projection: o = H·d_v
};

/// How the weights are named.
enum class WeightNames : std::uint8_t {
    separate,  ///< q_proj.weight, k_proj.weight, v_proj.weight, o_proj.weight, and biases
    packed,    ///< PyTorch's MultiheadAttention: in_proj_weight, out_proj.weight, and biases
};

/// One head of a layer on tokens (1, z): keys K z̃, queries Q z̃, values V z̃, and what the output
/// makes of values. Column 0 holds biases.
struct ProjectedHead {
    Matrix queries;  ///< d_k×(1 + d)
    Matrix keys;     ///< d_k×(1 + d)
    Matrix values;   ///< d_v×(1 + d)
    Matrix output;   ///< o×d_v
};

/// A buffer of the frequencies by which queries and keys are turned.
inline constexpr std::string_view kFrequencies = "rotary.inv_freq";

struct Projections {
    Index d = 0;
    Index o = 0;
    std::vector<ProjectedHead> heads;
    Vector output_bias;   ///< o
    bool biased = false;  ///< some bias is not zero
};

/// Prefixes of the layers among these names of weights below `prefix`, by their projections of
/// queries: "layers.0.attn.", "layers.10.attn.", numbers by size. Empty where there is one layer,
/// or none.
[[nodiscard]] std::vector<std::string> layer_prefixes(const std::vector<std::string>& names,
                                                      const std::string& prefix);

/// The projections of H heads, of which groups of H/key_heads share keys and values (key_heads 0:
/// none do). Throws InvalidInput of one line where a weight is missing or of another shape, and for
/// any other weight: a short convolution, a learned feature map, and, unless the heads themselves
/// are the output, a norm or gate behind them are no linear attention; the message names the term
/// and what to record instead. `recorded_gates`: gk_proj is left alone, its gates are data.
/// kFrequencies is left to the caller.
[[nodiscard]] Projections read_projections(const Weights& weights,
                                           WeightNames names,
                                           Index heads,
                                           Index key_heads,
                                           ImportedOutput output,
                                           bool recorded_gates);

}  // namespace attest

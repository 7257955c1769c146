#pragma once

#include "core/stack/stack_file.hpp"
#include "core/trained/weights.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace attest {

/// Which entries of a key turn together.
enum class RotaryPairs : std::uint8_t {
    none,
    neighbours,  ///< entries 2i and 2i + 1
    halves       ///< entries i and i + a/2
};
inline constexpr Choices<RotaryPairs, 3> kRotaryPairs{{{RotaryPairs::none, "none"},
                                                       {RotaryPairs::neighbours, "neighbours"},
                                                       {RotaryPairs::halves, "halves"}}};

/// What the weights of a stack do not say.
struct StackImportRequest {
    std::string pattern;  ///< "model.layers.{}": where a layer's number stands; empty: it is found
    Index heads = 1;      ///< query heads of each layer; rows of keys tell how many share them
    StackScore score = StackScore::linear;
    std::optional<double> scale = {};  ///< of query-key products; absent: 1/√a
    bool residual = false;
    bool causal = false;
    RotaryPairs rotary = RotaryPairs::none;
    double rotary_base = 10000.0;  ///< angles base^(−2i/a), unless the file has inv_freq
    StackNorm norm = StackNorm::none;
    double epsilon = 0.0;
    Activation activation = Activation::none;
    Readout readout = Readout::all;
    std::vector<std::string> left_out;  ///< names begin so; those are not read
};

struct ImportedStack {
    Stack stack;
    std::vector<std::string> left_out;  ///< names of the weights that were
};

/// The weights of trained layers as a stack: attention by q_proj … o_proj or the packed in_proj of
/// PyTorch, an MLP by fc1 and fc2, gains of norms, under each layer's number, by the names that are
/// common (docs/your-layer.md). Throws InvalidInput of one line, naming the weight, for every other
/// one and what to hook instead, for a layer that is missing, for shapes that do not fit, and where
/// the request and the weights differ on norms, MLP or rotation.
[[nodiscard]] ImportedStack imported_stack(const Weights& weights,
                                           const StackImportRequest& request);

}  // namespace attest

#pragma once

#include "core/data/model_file.hpp"
#include "core/trained/projections.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attest {

/// Implementations whose weights are understood.
enum class TrainedLayer : std::uint8_t {
    linear,      ///< identity feature map, no normaliser
    retention,   ///< decays 1 − 2^(−5−h), rotary positions
    lightning,   ///< decays exp(−(8/H)(1 − l/L)h) of layer l of L
    simple_gla,  ///< a recorded gate a token and head
    torch_mha,   ///< PyTorch's MultiheadAttention with the softmax left out
};
[[nodiscard]] std::string_view to_string(TrainedLayer layer);
[[nodiscard]] TrainedLayer trained_layer_named(std::string_view name);
[[nodiscard]] std::vector<std::string> trained_layer_names();

/// What the weights do not say.
struct ImportRequest {
    TrainedLayer as = TrainedLayer::linear;
    Index heads = 1;
    Index key_heads = 0;               ///< heads with keys and values of their own; 0: all
    std::optional<double> scale = {};  ///< of query-key products; absent: 1/√d_k
    ImportedOutput output = ImportedOutput::projected;
    Index head = -1;  ///< this head alone, from 0; −1: all
    std::optional<Index> rotary =
        {};  ///< retention: tokens that rotation is tabulated for, 0: none
    double rotary_base = 10000.0;
    Index layer_index = 0;  ///< lightning: l
    Index num_layers = 0;   ///< lightning: L; 0: not said, which no lightning layer takes
};

/// The layer as heads of the family: V_h = O_h W_v and Q_h = scale·W_kᵀ W_q on tokens z, or on (1,
/// z) with word `affine` where a bias is not zero. Heads with the same decay share a kernel.
/// Rotations become a table of γ^δ cos ωδ and γ^δ sin ωδ, each entry off by at most 2^−100. Throws
/// InvalidInput of one line for what is no such layer, as read_projections, and where the request
/// lacks what the kind needs.
[[nodiscard]] Model imported_layer(const Weights& weights, const ImportRequest& request);

}  // namespace attest

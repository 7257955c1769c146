#include "core/distil/softmax_layer_file.hpp"

#include "core/base/error.hpp"
#include "core/data/parameter_keys.hpp"

namespace attest {

namespace {

/// Y = Σ_t p_t Wᵀx_t with scores x_aᵀ Θ x_t (core/softmax/attention.hpp): V = Wᵀ, Q = Θᵀ.
SoftmaxLayer layer_of_softmax_heads(const std::string& path,
                                    const std::string& key_W,
                                    const std::string& key_Theta) {
    const Parameters heads = *read_heads(NpzReader::open(path), key_W, key_Theta);
    SoftmaxLayer layer{heads.d, heads.d, false, {}, {}, 1.0};
    for (const Head& head : heads.heads) {
        require(head.V.rows() == heads.d,
                "{}: {} is {}x{}, expected square",
                path,
                key_W,
                head.V.rows(),
                head.V.cols());
        layer.heads.push_back({head.V.transpose(), head.Q.transpose()});
    }
    require(!layer.heads.empty(), "{}: {} holds no head", path, key_W);
    return layer;
}

}  // namespace

SoftmaxLayer read_softmax_layer(const std::string& path,
                                const std::string& prefix,
                                const ImportRequest& request) {
    const Weights weights = read_weights(path, prefix);
    if (weights.contains("V") && weights.contains("Q")) {
        return softmax_layer(read_model(path));
    }
    for (const std::string start : {"", "truth_"}) {
        if (weights.contains(start + "Theta") && weights.contains(start + "W")) {
            return layer_of_softmax_heads(path, start + "W", start + "Theta");
        }
    }
    return softmax_layer(imported_layer(weights, request));
}

}  // namespace attest

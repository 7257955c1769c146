#include "proofs_check/claims/henry2025/one_head.hpp"

namespace attest::henry2025 {

depth::Sizes one_head(Index d, Index a, Index layers) {
    return {d, a, d, 1, layers};
}

Index layers_alone(const depth::Sizes& sizes) {
    const Index d = sizes.d;
    return sizes.layers * (sizes.a * (2 * d - sizes.a) + d * d);
}

Index softmax_formula(const depth::Sizes& sizes) {
    return layers_alone(sizes) - (sizes.layers - 1) * sizes.d * sizes.d;
}

Index lightning_formula(const depth::Sizes& sizes) {
    return softmax_formula(sizes) - sizes.layers;
}

}  // namespace attest::henry2025

#pragma once

#include "core/layers/layer.hpp"

#include <vector>

namespace attest {

/// One head of a layer: y += V M_g Q u with M_g the matrix that its sum stands for, Σ κ_g z̃ z̃ᵀ,
/// Σ κ_g z φᵀ or what `delta` keeps of Σ β z kᵀ. V is o×D, Q is K×m, D and K the rows and columns
/// of M_g.
struct LayerHead {
    Matrix V;
    Matrix Q;
    Index kernel = 0;  ///< g, from 0
};

/// A layer's function by heads, and for `affine` what depends on u alone.
struct LayerHeads {
    std::vector<LayerHead> heads;
    Matrix direct;  ///< o×m, added as direct·u; 0×0 without `affine`
};

/// Sizes D×K of the matrix that each sum of the layer stands for. Throws InvalidInput for layers
/// without heads: `degree` and `moments`.
struct SumShape {
    Index rows = 0;
    Index columns = 0;
    bool symmetric = true;  ///< held as pack(M)
};

[[nodiscard]] bool has_heads(const Layer& layer);
[[nodiscard]] SumShape sum_shape(const Layer& layer, const LayerInput& input);

/// Position of M_jk among the entries of its sum: of pack(M) where that is how it is held.
[[nodiscard]] Index entry_of_sum(const SumShape& shape, Index j, Index k);

/// P (ψ×o) of the heads. Throws InvalidInput where a shape does not fit the layer.
[[nodiscard]] Matrix coefficients(const Layer& layer,
                                  const LayerInput& input,
                                  Index o,
                                  const LayerHeads& heads);

/// The tensor of sum g in its symmetric gauge: W[(a,j),(k,l)] is the coefficient of output a at
/// M_jk u_l; (o·D)×(K·m). Heads are its terms flatten(V) flatten(Q)ᵀ.
[[nodiscard]] Matrix tensor_of_sum(const Layer& layer,
                                   const LayerInput& input,
                                   const Matrix& P,
                                   Index g);

}  // namespace attest

#pragma once

#include "core/algebra/symmetric_pack.hpp"
#include "core/data/sources/moments.hpp"

namespace attest {

/// The features of one example: the products of s and u that the layout lists, in its order.
template <class Scalar>
[[nodiscard]] VectorOf<Scalar> features_of_moments(const FeatureLayout& layout,
                                                   const VectorOf<Scalar>& s,
                                                   const VectorOf<Scalar>& u) {
    require(s.size() == layout.q() && u.size() == layout.m(),
            "features_of_moments: got {} state and {} query entries, expected {} and {}",
            s.size(),
            u.size(),
            layout.q(),
            layout.m());
    VectorOf<Scalar> h(layout.psi());
    Index at = 0;
    for (const FeatureBlock& block : layout.blocks()) {
        for (Index p = 0; p < block.states; ++p) {
            for (Index l = 0; l < block.queries; ++l) {
                h(at++) = s(block.first_state + p) * u(block.first_query + l);
            }
        }
    }
    return h;
}

/// h = s ⊗ z: cubic features from packed moments, entry [pair·d + l] = s_pair·z_l. s has d(d+1)/2
/// entries.
template <class Scalar>
[[nodiscard]] VectorOf<Scalar> features_of_moments(const VectorOf<Scalar>& s,
                                                   const VectorOf<Scalar>& z) {
    require(s.size() == packed_dim(z.size()),
            "features_of_moments: s does not have d(d+1)/2 entries");
    return features_of_moments<Scalar>(z.size(), s, z);
}

/// Cubic features H(Z) = pack(Z Zᵀ) ⊗ z of Algorithm 2, z the last column of Z (d×n, n ≥ 1): ψ
/// entries, pairs j<k first, then squares, l fastest. O(d²n + d³). Throws InvalidInput if Z has no
/// column.
template <class Scalar>
[[nodiscard]] VectorOf<Scalar> cubic_features(const MatrixOf<Scalar>& Z) {
    require(Z.cols() >= 1, "cubic_features: Z is {}x0, expected at least one column", Z.rows());
    VectorOf<Scalar> s = VectorOf<Scalar>::Zero(packed_dim(Z.rows()));
    add_tokens<Scalar>(s, Z);
    const VectorOf<Scalar> z = Z.col(Z.cols() - 1);
    return features_of_moments<Scalar>(s, z);
}

/// Explicit features of a batch, one example a column: ψ×B.
template <class Scalar>
[[nodiscard]] MatrixOf<Scalar> feature_columns(const MomentBatchOf<Scalar>& batch,
                                               const FeatureLayout& layout) {
    MatrixOf<Scalar> H(layout.psi(), batch.size());
    for (Index i = 0; i < batch.size(); ++i) {
        Index at = 0;
        for (const FeatureBlock& block : layout.blocks()) {
            for (Index p = 0; p < block.states; ++p) {
                for (Index l = 0; l < block.queries; ++l) {
                    H(at++, i) =
                        batch.S(block.first_state + p, i) * batch.u(block.first_query + l, i);
                }
            }
        }
    }
    return H;
}

/// The same where every product of s and u is a feature.
template <class Scalar>
[[nodiscard]] MatrixOf<Scalar> feature_columns(const MomentBatchOf<Scalar>& batch) {
    return feature_columns(batch, all_products(batch.S.rows(), batch.u.rows()));
}

}  // namespace attest

#pragma once

#include "core/algebra/symmetric_pack.hpp"
#include "core/data/moment_source.hpp"

namespace attest {

/// h = s ⊗ z: cubic features from packed moments, entry [pair·d + l] = s_pair·z_l. s has d(d+1)/2
/// entries.
template <class Scalar>
[[nodiscard]] VectorOf<Scalar> features_of_moments(const VectorOf<Scalar>& s,
                                                   const VectorOf<Scalar>& z) {
    const Index d = z.size();
    require(s.size() == packed_dim(d), "features_of_moments: s does not have d(d+1)/2 entries");
    VectorOf<Scalar> h(feature_dim(d));
    for (Index p = 0; p < s.size(); ++p) {
        for (Index l = 0; l < d; ++l) {
            h(p * d + l) = s(p) * z(l);
        }
    }
    return h;
}

/// Cubic features H(Z) = pack(Z Zᵀ) ⊗ z of Algorithm 2, z the last column of Z (d×n, n ≥ 1): ψ
/// entries, pairs j<k first, then squares, l fastest. O(d²n + d³). Throws InvalidInput if Z has no
/// column.
template <class Scalar>
[[nodiscard]] VectorOf<Scalar> cubic_features(const MatrixOf<Scalar>& Z) {
    require(Z.cols() >= 1, "cubic_features: Z is {}x0, expected at least one column", Z.rows());
    VectorOf<Scalar> s = VectorOf<Scalar>::Zero(packed_dim(Z.rows()));
    for (Index t = 0; t < Z.cols(); ++t) {
        add_token<Scalar>(s, Z.col(t));
    }
    const VectorOf<Scalar> z = Z.col(Z.cols() - 1);
    return features_of_moments<Scalar>(s, z);
}

/// Explicit features of a batch, one example a column: ψ×B.
template <class Scalar>
[[nodiscard]] MatrixOf<Scalar> feature_columns(const MomentBatchOf<Scalar>& batch) {
    const Index d = batch.z.rows();
    MatrixOf<Scalar> H(feature_dim(d), batch.size());
    for (Index i = 0; i < batch.size(); ++i) {
        for (Index p = 0; p < batch.S.rows(); ++p) {
            for (Index l = 0; l < d; ++l) {
                H(p * d + l, i) = batch.S(p, i) * batch.z(l, i);
            }
        }
    }
    return H;
}

}  // namespace attest

#pragma once

#include "core/algebra/matrix.hpp"
#include "core/base/error.hpp"

namespace attest {

/// Algorithm 8: X(Z)[j, k·d + l] = ⟨z_j:, z_k:⟩ z_ln with 0-based k, l; d×d². Z is d×n, n ≥ 1.
/// Erratum: the paper's display writes k fastest, which turns Q into its transpose.
template <class Scalar>
[[nodiscard]] MatrixOf<Scalar> embedded_features(const MatrixOf<Scalar>& Z) {
    require(Z.cols() >= 1, "embedded_features: Z has no column");
    const Index d = Z.rows();
    const MatrixOf<Scalar> S = Z * Z.transpose();
    MatrixOf<Scalar> X(d, d * d);
    for (Index j = 0; j < d; ++j) {
        for (Index k = 0; k < d; ++k) {
            for (Index l = 0; l < d; ++l) {
                X(j, k * d + l) = S(j, k) * Z(l, Z.cols() - 1);
            }
        }
    }
    return X;
}

}  // namespace attest

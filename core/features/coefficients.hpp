#pragma once

#include "core/algebra/symmetric_pack.hpp"
#include "core/model/parameters.hpp"

namespace attest {

/// P = [p_1(Θ) … p_o(Θ)], ψ×o, of equations 41 and 42: p_a[{j,k},l] = Σ_h (V_h,aj Q_h,kl + V_h,ak
/// Q_h,jl) for j<k, Σ_h V_h,aj Q_h,jl for j = k. Then MHLA_Θ(Z) = Pᵀ H(Z). O(H o d³). Erratum:
/// equation 19 read at j = k gives twice equation 42.
template <class Scalar>
[[nodiscard]] MatrixOf<Scalar> coefficients(const ParametersOf<Scalar>& theta) {
    check_shapes(theta);
    const Index d = theta.d;
    MatrixOf<Scalar> P = MatrixOf<Scalar>::Zero(feature_dim(d), theta.o);
    for (const HeadOf<Scalar>& head : theta.heads) {
        for (Index a = 0; a < theta.o; ++a) {
            for (Index j = 0; j < d; ++j) {
                for (Index k = 0; k < d; ++k) {
                    const Index row = pack_index(d, j, k) * d;
                    for (Index l = 0; l < d; ++l) {
                        P(row + l, a) += head.V(a, j) * head.Q(k, l);
                    }
                }
            }
        }
    }
    return P;
}

}  // namespace attest

#pragma once

#include "core/algebra/symmetric_pack.hpp"
#include "core/model/parameters.hpp"

namespace attest {

/// T_bc,l of output a: the coefficient of x_b x_c in M(x)_al split evenly between (b,c) and (c,b).
template <class Scalar>
[[nodiscard]] Scalar split_coefficient(
    const MatrixOf<Scalar>& P, Index d, Index a, Index b, Index c, Index l) {
    const Scalar& value = P(pack_index(d, b, c) * d + l, a);
    return b == c ? value : value / Scalar(2);
}

/// d(d+1)/2 heads for any P (ψ×o), explicitly: Q runs through the basis E_cc, E_cl + E_lc (c < l)
/// of the symmetric matrices, and V_cl[a,b] = T_bc,l + T_bl,c − T_cl,b, the identity that makes a
/// metric connection unique. So d² heads are never needed. Exact over fields and, but for the
/// halves, over integers. O(o d³), nothing is solved.
template <class Scalar>
[[nodiscard]] ParametersOf<Scalar> symmetric_query_heads(const MatrixOf<Scalar>& P, Index d) {
    require(P.rows() == feature_dim(d), "symmetric_query_heads: P does not have psi(d) rows");
    ParametersOf<Scalar> theta{d, P.cols(), {}};
    for (Index c = 0; c < d; ++c) {
        for (Index l = c; l < d; ++l) {
            HeadOf<Scalar> head{MatrixOf<Scalar>(P.cols(), d), MatrixOf<Scalar>::Zero(d, d)};
            head.Q(c, l) = Scalar(1);
            head.Q(l, c) = Scalar(1);
            for (Index a = 0; a < P.cols(); ++a) {
                for (Index b = 0; b < d; ++b) {
                    head.V(a, b) = split_coefficient<Scalar>(P, d, a, b, c, l) +
                                   split_coefficient<Scalar>(P, d, a, b, l, c) -
                                   split_coefficient<Scalar>(P, d, a, c, l, b);
                }
            }
            theta.heads.push_back(head);
        }
    }
    return theta;
}

/// o·d heads for any P (ψ×o), explicitly: V_(a,b) = E_ab and Q_(a,b)[c,l] = T_bc,l of output a. For
/// one output these are d, the fewest that a generic P allows. O(o d³).
template <class Scalar>
[[nodiscard]] ParametersOf<Scalar> unit_value_heads(const MatrixOf<Scalar>& P, Index d) {
    require(P.rows() == feature_dim(d), "unit_value_heads: P does not have psi(d) rows");
    ParametersOf<Scalar> theta{d, P.cols(), {}};
    for (Index a = 0; a < P.cols(); ++a) {
        for (Index b = 0; b < d; ++b) {
            HeadOf<Scalar> head{MatrixOf<Scalar>::Zero(P.cols(), d), MatrixOf<Scalar>(d, d)};
            head.V(a, b) = Scalar(1);
            for (Index c = 0; c < d; ++c) {
                for (Index l = 0; l < d; ++l) {
                    head.Q(c, l) = split_coefficient<Scalar>(P, d, a, b, c, l);
                }
            }
            theta.heads.push_back(head);
        }
    }
    return theta;
}

}  // namespace attest

#pragma once

#include "core/algebra/symmetric_pack.hpp"

namespace attest {

/// Isometric coordinates p of P (both ψ×o): p_bb,l = P_bb,l and p_bc,l = P_bc,l/√2 for b < c, so
/// that ‖p‖_F = ‖Sym W‖_F.
[[nodiscard]] Matrix isometric(const Matrix& P, Index d);

/// The inverse of isometric.
[[nodiscard]] Matrix from_isometric(const Matrix& p, Index d);

/// M(x), the o×d matrix of quadratic forms behind P (ψ×o): M(x)_al = Σ_{b≤c} P[{b,c},l; a] x_b x_c,
/// hence Pᵀ H(Z) = Σ_i M(z_i) z and M(x) = Σ_h (V_h x)(Q_hᵀ x)ᵀ for any heads of P. x has d
/// entries. O(ψ o).
template <class Scalar>
[[nodiscard]] MatrixOf<Scalar> form_matrix(const MatrixOf<Scalar>& P, const VectorOf<Scalar>& x) {
    const Index d = x.size();
    require(P.rows() == feature_dim(d), "form_matrix: P does not have psi(d) rows");
    MatrixOf<Scalar> M = MatrixOf<Scalar>::Zero(P.cols(), d);
    for (Index b = 0; b < d; ++b) {
        for (Index c = b; c < d; ++c) {
            const Scalar monomial = x(b) * x(c);
            const Index row = pack_index(d, b, c) * d;
            for (Index l = 0; l < d; ++l) {
                for (Index a = 0; a < P.cols(); ++a) {
                    M(a, l) += P(row + l, a) * monomial;
                }
            }
        }
    }
    return M;
}

/// The symmetric d×d matrix S with xᵀ S x = uᵀ M(x) w: a sum of H products of linear forms when P
/// has H heads. u has o entries, w has d. O(ψ o). 2S is integral for integral P, u, w.
template <class Scalar>
[[nodiscard]] MatrixOf<Scalar> contracted_form(const MatrixOf<Scalar>& P,
                                               const VectorOf<Scalar>& u,
                                               const VectorOf<Scalar>& w) {
    const Index d = w.size();
    require(P.rows() == feature_dim(d) && P.cols() == u.size(),
            "contracted_form: P, u and w disagree on their shapes");
    const VectorOf<Scalar> p = P * u;
    MatrixOf<Scalar> S(d, d);
    for (Index b = 0; b < d; ++b) {
        for (Index c = b; c < d; ++c) {
            const Scalar value = p.segment(pack_index(d, b, c) * d, d).dot(w);
            S(b, c) = b == c ? value : value / Scalar(2);
            S(c, b) = S(b, c);
        }
    }
    return S;
}

}  // namespace attest

#pragma once

#include "core/algebra/matrix.hpp"
#include "core/algebra/symmetric_pack.hpp"
#include "core/data/model_file.hpp"
#include "core/layers/feature_layout.hpp"
#include "core/model/parameters.hpp"

#include <cstdint>
#include <string_view>

namespace attest {

/// W = T_Θ = Σ_h flatten(V_h) flatten(Q_h)ᵀ, (o·d)×d², W[(a,b),(c,l)] = Σ_h V_h,ab Q_h,cl.
template <class Scalar>
[[nodiscard]] MatrixOf<Scalar> head_tensor(const ParametersOf<Scalar>& theta) {
    check_shapes(theta);
    MatrixOf<Scalar> W = MatrixOf<Scalar>::Zero(theta.o * theta.d, theta.d * theta.d);
    for (const HeadOf<Scalar>& head : theta.heads) {
        W += flatten<Scalar>(head.V) * flatten<Scalar>(head.Q).transpose();
    }
    return W;
}

/// Sym W in the symmetric gauge: the W with W[(a,b),(c,l)] = W[(a,c),(b,l)] whose coefficients are
/// P (ψ×o); of all W with these coefficients it has the least Frobenius norm. (o·d)×d².
template <class Scalar>
[[nodiscard]] MatrixOf<Scalar> symmetric_gauge(const MatrixOf<Scalar>& P, Index d) {
    require(P.rows() == feature_dim(d), "symmetric_gauge: P does not have psi(d) rows");
    MatrixOf<Scalar> W(P.cols() * d, d * d);
    for (Index a = 0; a < P.cols(); ++a) {
        for (Index b = 0; b < d; ++b) {
            for (Index c = 0; c < d; ++c) {
                const Index row = pack_index(d, b, c) * d;
                for (Index l = 0; l < d; ++l) {
                    W(a * d + b, c * d + l) = b == c ? P(row + l, a) : P(row + l, a) / Scalar(2);
                }
            }
        }
    }
    return W;
}

/// The coefficients P (ψ×o) of any W: adds the two gauge-related entries. Inverse of
/// symmetric_gauge up to gauge.
template <class Scalar>
[[nodiscard]] MatrixOf<Scalar> coefficients_of_tensor(const MatrixOf<Scalar>& W, Index d) {
    require(W.cols() == d * d && W.rows() % d == 0, "coefficients_of_tensor: W is not (o·d)×d²");
    MatrixOf<Scalar> P = MatrixOf<Scalar>::Zero(feature_dim(d), W.rows() / d);
    for (Index a = 0; a < P.cols(); ++a) {
        for (Index b = 0; b < d; ++b) {
            for (Index c = 0; c < d; ++c) {
                const Index row = pack_index(d, b, c) * d;
                for (Index l = 0; l < d; ++l) {
                    P(row + l, a) += W(a * d + b, c * d + l);
                }
            }
        }
    }
    return P;
}

/// Which norm of the coefficients is meant by "minimum norm" and by the ridge penalty.
enum class Norm : std::uint8_t {
    sym,  ///< ‖Sym W‖_F: pair coefficients weigh 1/√2. The kernel's and Algorithm 1's norm; the
          ///< default.
    packed,  ///< ‖P‖_F in Algorithm 2's coordinates
};

[[nodiscard]] std::string_view to_string(Norm norm);
/// "sym" or "packed"; throws UnknownName otherwise.
[[nodiscard]] Norm norm_from_string(std::string_view text);

/// Weights w (ψ entries) with ‖coefficients‖ = ‖diag(w) p‖₂: 1 for squares; for pairs 1/√2 (sym) or
/// 1 (packed). Of other layers 1/√multiplicity (sym).
[[nodiscard]] Vector norm_weights(const FeatureLayout& layout, Norm norm);

/// ‖Sym W‖_F or ‖P‖_F of P (ψ×o).
[[nodiscard]] double coefficient_norm(const Matrix& P, const FeatureLayout& layout, Norm norm);

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

/// P of a model as a file holds it (ψ×o): its coefficients, or those of its heads where it has
/// heads only. Throws InvalidInput, naming the model, where a product of heads overflows.
[[nodiscard]] Matrix coefficients(const Model& model, std::string_view name);

}  // namespace attest

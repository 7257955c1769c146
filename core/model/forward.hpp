#pragma once

#include "core/model/parameters.hpp"

namespace attest {

/// Multi-head linear attention, Definition 2.1, literally: Σ_h V_h Z (Zᵀ Q_h Z), o×n. Z is d×n. O(H
/// n²(d + o)).
template <class Scalar>
[[nodiscard]] MatrixOf<Scalar> attend_all(const ParametersOf<Scalar>& theta,
                                          const MatrixOf<Scalar>& Z) {
    require(Z.rows() == theta.d, "attend_all: Z and the parameters disagree on d");
    MatrixOf<Scalar> Y = MatrixOf<Scalar>::Zero(theta.o, Z.cols());
    for (const HeadOf<Scalar>& head : theta.heads) {
        const MatrixOf<Scalar> QZ = head.Q * Z;
        const MatrixOf<Scalar> scores = Z.transpose() * QZ;
        const MatrixOf<Scalar> values = head.V * Z;
        Y += values * scores;
    }
    return Y;
}

/// Definition 2.1 at one query column: Σ_h V_h Z (Zᵀ Q_h z), o entries. Z is d×n, z has d entries.
template <class Scalar>
[[nodiscard]] VectorOf<Scalar> attend(const ParametersOf<Scalar>& theta,
                                      const MatrixOf<Scalar>& Z,
                                      const VectorOf<Scalar>& z) {
    require(Z.rows() == theta.d && z.size() == theta.d,
            "attend: Z, z and the parameters disagree on d");
    VectorOf<Scalar> y = VectorOf<Scalar>::Zero(theta.o);
    for (const HeadOf<Scalar>& head : theta.heads) {
        const VectorOf<Scalar> key = head.Q * z;
        const VectorOf<Scalar> scores = Z.transpose() * key;
        const VectorOf<Scalar> mixed = Z * scores;
        y += head.V * mixed;
    }
    return y;
}

/// The same through the moment S = Z Zᵀ (d×d): Σ_h V_h S Q_h z. O(H d²), whatever n.
template <class Scalar>
[[nodiscard]] VectorOf<Scalar> attend_moments(const ParametersOf<Scalar>& theta,
                                              const MatrixOf<Scalar>& S,
                                              const VectorOf<Scalar>& z) {
    require(S.rows() == theta.d && S.cols() == theta.d && z.size() == theta.d,
            "attend_moments: S, z and the parameters disagree on d");
    VectorOf<Scalar> y = VectorOf<Scalar>::Zero(theta.o);
    for (const HeadOf<Scalar>& head : theta.heads) {
        const VectorOf<Scalar> key = head.Q * z;
        const VectorOf<Scalar> mixed = S * key;
        y += head.V * mixed;
    }
    return y;
}

}  // namespace attest

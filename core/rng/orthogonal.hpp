#pragma once

#include "core/algebra/matrix.hpp"
#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/rng/stream.hpp"

namespace attest {

/// The factor Q of the QR decomposition of a d×d matrix of grid_normal draws, with R's diagonal
/// positive: Haar distributed up to the grid (Mezzadri 2007). Householder reflections in plain
/// loops of + − × ÷ √, so the doubles are the same on every machine. O(d³).
[[nodiscard]] Matrix random_orthogonal(Index d, const Stream& stream);

/// A uniform d×d permutation matrix with independent uniform signs; exact. O(d²).
[[nodiscard]] Matrix random_signed_permutation(Index d, const Stream& stream);

/// A skew d×d matrix with independent entries uniform on −bound … bound above the diagonal.
[[nodiscard]] Matrix random_skew(Index d, Index bound, const Stream& stream);

/// d independent uniform signs.
[[nodiscard]] Vector random_signs(Index d, const Stream& stream);

/// Cayley's transform (I − K)(I + K)⁻¹ of a skew K, orthogonal over every ordered field: the
/// leading minors of I + K are positive there, so elimination needs no pivoting. O(d³).
template <class Scalar>
[[nodiscard]] MatrixOf<Scalar> cayley(const MatrixOf<Scalar>& K) {
    require(K.rows() == K.cols(), "cayley: K is {}x{}, expected square", K.rows(), K.cols());
    const Index d = K.rows();
    MatrixOf<Scalar> A = K.transpose();  // (I + K)ᵀ Xᵀ = (I − K)ᵀ, solved for Xᵀ by elimination
    MatrixOf<Scalar> X = -A;
    for (Index i = 0; i < d; ++i) {
        A(i, i) += Scalar(1);
        X(i, i) += Scalar(1);
    }
    for (Index k = 0; k < d; ++k) {
        for (Index i = 0; i < d; ++i) {
            if (i == k) {
                continue;
            }
            const Scalar factor = A(i, k) / A(k, k);
            for (Index j = 0; j < d; ++j) {
                A(i, j) -= factor * A(k, j);
                X(i, j) -= factor * X(k, j);
            }
        }
    }
    for (Index k = 0; k < d; ++k) {
        for (Index j = 0; j < d; ++j) {
            X(k, j) /= A(k, k);
        }
    }
    return X.transpose();
}

/// A random orthogonal matrix with rational entries: random signs times the Cayley transform of
/// random_skew. Exact for Scalar = Rational. Throws InvalidInput unless bound ≥ 1.
template <class Scalar>
[[nodiscard]] MatrixOf<Scalar> random_rational_orthogonal(Index d,
                                                          Index bound,
                                                          const Stream& stream) {
    const Matrix K = random_skew(d, bound, stream.child("skew"));
    const Vector signs = random_signs(d, stream.child("signs"));
    MatrixOf<Scalar> X = cayley<Scalar>(K.cast<Scalar>());
    for (Index i = 0; i < d; ++i) {
        for (Index j = 0; j < d; ++j) {
            X(i, j) *= Scalar(signs(i));
        }
    }
    return X;
}

}  // namespace attest

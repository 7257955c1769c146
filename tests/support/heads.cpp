#include "tests/support/heads.hpp"

#include "core/algebra/lapack.hpp"
#include "core/exact/modular.hpp"
#include "core/features/coefficients.hpp"
#include "core/features/gauge.hpp"
#include "core/rng/sample.hpp"
#include "tests/support/problems.hpp"

#include <algorithm>
#include <limits>

namespace attest::test {

namespace {

Matrix nonzero_integers(Index rows, Index cols, const Stream& stream) {
    Draws draws(stream);
    Matrix A(rows, cols);
    for (Index j = 0; j < cols; ++j) {
        for (Index i = 0; i < rows; ++i) {
            const auto value = static_cast<double>(draws.below(6)) - 3.0;
            A(i, j) = value < 0.0 ? value : value + 1.0;
        }
    }
    return A;
}

/// The orthogonal complement of the columns of A (orthonormal).
Matrix complement(const Matrix& A) {
    Matrix stacked(A.rows(), A.cols() + A.rows());
    stacked << A, Matrix::Identity(A.rows(), A.rows());
    return thin_qr(stacked).Q.rightCols(A.rows() - A.cols());
}

}  // namespace

Matrix generic_coefficients(Index d, Index o, const Stream& stream) {
    return norm_weights(d, Norm::sym).cwiseInverse().asDiagonal() *
           normal_matrix(feature_dim(d), o, stream);
}

Parameters integer_parameters(Index d, Index o, Index heads, const Stream& stream) {
    Parameters theta{d, o, {}};
    for (Index h = 0; h < heads; ++h) {
        theta.heads.push_back({nonzero_integers(o, d, stream.child("V").child(h)),
                               nonzero_integers(d, d, stream.child("Q").child(h))});
    }
    return theta;
}

ParametersOf<Rational> to_rational(const Parameters& theta) {
    ParametersOf<Rational> exact{theta.d, theta.o, {}};
    for (const Head& head : theta.heads) {
        exact.heads.push_back({head.V.cast<Rational>(), head.Q.cast<Rational>()});
    }
    return exact;
}

double representation_bound(Index d, Index o) {
    return 30.0 * static_cast<double>(std::max(o * d, d * d)) *
           std::numeric_limits<double>::epsilon();
}

double tangent_condition(const Matrix& W, Index d, Index num_heads) {
    const Svd decomposition = svd(W);
    const Matrix U = decomposition.U.leftCols(num_heads);
    const Matrix V = decomposition.V.leftCols(num_heads);
    const Matrix outside = complement(U);
    const Matrix all_right(Matrix::Identity(W.cols(), W.cols()));
    const Index o = W.rows() / d;
    // Orthonormal basis of the tangent space: u_i e_jᵀ and n_k v_hᵀ, n_k outside the column space
    // of W.
    Matrix J(feature_dim(d) * o, num_heads * (W.cols() + outside.cols()));
    Index at = 0;
    const Vector weights = norm_weights(d, Norm::sym);
    const auto add = [&](const Vector& left, const Vector& right) {
        const Matrix tangent = left * right.transpose();
        const Matrix p = weights.asDiagonal() * coefficients_of_tensor<double>(tangent, d);
        J.col(at++) = p.reshaped();
    };
    for (Index h = 0; h < num_heads; ++h) {
        for (Index j = 0; j < W.cols(); ++j) {
            add(U.col(h), all_right.col(j));
        }
        for (Index k = 0; k < outside.cols(); ++k) {
            add(outside.col(k), V.col(h));
        }
    }
    return 1.0 / singular_values(J).minCoeff();
}

Index exact_jacobian_rank(const Parameters& integer_heads) {
    const Index d = integer_heads.d;
    const Index o = integer_heads.o;
    const Modulus p;
    ModularMatrix J(integer_heads.num_heads() * (o * d + d * d), feature_dim(d) * o);
    Index row = 0;
    const auto add = [&](const Matrix& V, const Matrix& Q) {
        const Matrix P = coefficients<double>(Parameters{d, o, {{V, Q}}});
        for (Index i = 0; i < P.size(); ++i) {
            J(row, i) = p.reduce(P.data()[i]);
        }
        ++row;
    };
    for (const Head& head : integer_heads.heads) {
        for (Index i = 0; i < o * d; ++i) {
            add(Vector::Unit(o * d, i).reshaped(o, d), head.Q);
        }
        for (Index i = 0; i < d * d; ++i) {
            add(head.V, Vector::Unit(d * d, i).reshaped(d, d));
        }
    }
    return rank(p, J);
}

}  // namespace attest::test

#include "core/heads/tangent_condition.hpp"

#include "core/algebra/lapack.hpp"
#include "core/features/gauge.hpp"

#include <limits>

namespace attest {

namespace {

/// The orthogonal complement of the columns of A (orthonormal).
Matrix complement(const Matrix& A) {
    Matrix stacked(A.rows(), A.cols() + A.rows());
    stacked << A, Matrix::Identity(A.rows(), A.rows());
    return thin_qr(stacked).Q.rightCols(A.rows() - A.cols());
}

}  // namespace

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
    if (J.cols() > J.rows()) {
        return std::numeric_limits<double>::infinity();
    }
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

}  // namespace attest

#include "core/algebra/packed_cholesky.hpp"

#include "core/algebra/inverse_norm.hpp"
#include "core/base/error.hpp"
#include "core/base/interrupt.hpp"
#include "core/base/text.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace attest {

namespace {

/// Calls visit(i, j, position) for every i ≥ j, along the memory.
template <class Visit>
void for_packed(Index n, const Visit& visit) {
    const Index half = (n + 1) / 2;
    for (Index j = 0; j < half; ++j) {
        for (Index i = j; i < n; ++i) {
            visit(i, j, rectangular_packed_index(n, i, j));
        }
    }
    for (Index i = half; i < n; ++i) {
        for (Index j = half; j <= i; ++j) {
            visit(i, j, rectangular_packed_index(n, i, j));
        }
    }
}

}  // namespace

template <class Scalar>
double packed_norm1(const VectorOf<Scalar>& A, Index n) {
    Vector sums = Vector::Zero(n);
    for_packed(n, [&](Index i, Index j, Index at) {
        const double size = std::abs(static_cast<double>(A(at)));
        sums(j) += size;
        if (i != j) {
            sums(i) += size;
        }
    });
    return n == 0 ? 0.0 : sums.maxCoeff<Eigen::PropagateNaN>();
}

template <class Scalar>
MatrixOf<Scalar> PackedCholeskyOf<Scalar>::solve(const MatrixOf<Scalar>& B) const {
    require(positive, "PackedCholesky: the matrix is not positive definite");
    require(B.rows() == n, "PackedCholesky: B has {} rows, expected {}", B.rows(), n);
    MatrixOf<Scalar> X = B;
    if (X.size() > 0) {
        solve_packed(L, X);
    }
    return X;
}

template <class Scalar>
PackedCholeskyOf<Scalar> packed_cholesky(VectorOf<Scalar> A, Index n) {
    require(A.size() == packed_dim(n),
            "packed_cholesky: got {} entries, expected {}",
            A.size(),
            packed_dim(n));
    throw_if_stopped("packed_cholesky");
    PackedCholeskyOf<Scalar> factor;
    factor.n = n;
    factor.norm1 = packed_norm1<Scalar>(A, n);
    if (!std::isfinite(factor.norm1)) {
        return factor;
    }
    factor.positive = n == 0 || factor_packed(A, n);
    factor.L = std::move(A);
    if (!factor.positive) {
        return factor;
    }
    factor.rcond =
        n == 0 ? 1.0
               : 1.0 / (factor.norm1 * inverse_norm1<Scalar>(n, [&](const MatrixOf<Scalar>& B) {
                            return factor.solve(B);
                        }));
    factor.positive = factor.rcond > 0.0;
    return factor;
}

template struct PackedCholeskyOf<double>;
template struct PackedCholeskyOf<float>;
template PackedCholeskyOf<double> packed_cholesky(Vector, Index);
template PackedCholeskyOf<float> packed_cholesky(VectorOf<float>, Index);
template double packed_norm1(const Vector&, Index);
template double packed_norm1(const VectorOf<float>&, Index);

}  // namespace attest

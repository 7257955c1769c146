#include "core/algebra/packed_cholesky.hpp"

#include "core/algebra/packed_backend.hpp"
#include "core/base/error.hpp"
#include "core/base/stop_scope.hpp"
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

/// Lower bound for ‖A⁻¹‖₁ from a few solves (Hager 1984; the last trial vector is Higham's).
template <class Scalar>
double inverse_norm1(const PackedCholeskyOf<Scalar>& factor) {
    using Column = MatrixOf<Scalar>;
    const Index n = factor.n;
    const auto norm1 = [](const Column& v) { return v.template cast<double>().cwiseAbs().sum(); };
    Column x = Column::Constant(n, 1, Scalar(1) / static_cast<Scalar>(n));
    double estimate = 0.0;
    for (int step = 0; step < 5; ++step) {
        const Column y = factor.solve(x);
        estimate = std::max(estimate, norm1(y));
        const Column signs =
            y.unaryExpr([](Scalar v) { return v < Scalar(0) ? Scalar(-1) : Scalar(1); });
        const Column gradient = factor.solve(signs);
        Index row = 0;
        const Scalar steepest = gradient.col(0).cwiseAbs().maxCoeff(&row);
        if (step > 0 && !(steepest > gradient.col(0).dot(x.col(0)))) {
            break;
        }
        x.setZero();
        x(row, 0) = Scalar(1);
    }
    for (Index i = 0; i < n; ++i) {
        const double size =
            1.0 + static_cast<double>(i) / static_cast<double>(std::max<Index>(n - 1, 1));
        x(i, 0) = static_cast<Scalar>(i % 2 == 0 ? size : -size);
    }
    return std::max(estimate, 2.0 * norm1(factor.solve(x)) / (3.0 * static_cast<double>(n)));
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
    factor.rcond = n == 0 ? 1.0 : 1.0 / (factor.norm1 * inverse_norm1(factor));
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

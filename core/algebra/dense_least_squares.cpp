#include "core/algebra/dense_least_squares.hpp"

#include "core/algebra/lapack.hpp"

#include <Eigen/QR>
#include <Eigen/SVD>

#include <algorithm>

namespace attest {

// By reference to A in place of a copy inside the decomposition (Eigen's inplace decompositions).

DenseLeastSquares eigen_householder(Matrix A, const Matrix& B, double /*threshold*/) {
    const Index n = A.cols();
    if (A.rows() < n) {
        return {};
    }
    const Eigen::HouseholderQR<Eigen::Ref<Matrix>> qr(A);
    DenseLeastSquares result;
    result.rcond = triangular_rcond(qr.matrixQR().topRows(n).triangularView<Eigen::Upper>());
    if (result.rcond > 0.0) {
        result.X = qr.solve(B);
    }
    return result;
}

DenseLeastSquares eigen_cod(Matrix A, const Matrix& B, double threshold) {
    Eigen::CompleteOrthogonalDecomposition<Eigen::Ref<Matrix>> cod(A);
    cod.setThreshold(threshold);
    const Index rank = cod.rank();
    DenseLeastSquares result{cod.solve(B), rank, 0.0};
    if (rank > 0) {
        result.rcond = triangular_rcond(
            cod.matrixQTZ().topLeftCorner(rank, rank).triangularView<Eigen::Upper>());
    }
    return result;
}

// NOLINTNEXTLINE(performance-unnecessary-value-param): as the others, which overwrite it
DenseLeastSquares eigen_bdcsvd(Matrix A, const Matrix& B, double threshold) {
    Eigen::BDCSVD<Matrix> svd(A, Eigen::ComputeThinU | Eigen::ComputeThinV);
    svd.setThreshold(threshold);
    const Index rank = svd.rank();
    const Vector& sigma = svd.singularValues();
    Matrix trial = Matrix::Ones(A.cols(), 2);
    for (Index i = 1; i < A.cols(); i += 2) {
        trial(i, 1) = -1.0;
    }
    const Matrix inner = sigma.asDiagonal() * (svd.matrixV().transpose() * trial);
    const double scale = sigma.size() > 0 ? sigma(0) * trial.norm() : 0.0;
    const double off = (A * trial - svd.matrixU() * inner).norm();
    return {svd.solve(B),
            rank,
            rank > 0 ? sigma(rank - 1) / sigma(0) : 0.0,
            scale > 0.0 ? off / scale : 0.0};
}

}  // namespace attest

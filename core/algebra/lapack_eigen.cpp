#include "core/algebra/lapack.hpp"
#include "core/base/error.hpp"
#include "core/base/interrupt.hpp"
#include "core/base/text.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <Eigen/SVD>

#include <algorithm>

namespace attest {

namespace {

SymmetricEigen solve_symmetric(const Matrix& A, int options) {
    require(A.rows() == A.cols(), "symmetric_eigen: the matrix is not square");
    if (A.size() == 0) {
        return {Vector(0), Matrix(0, 0)};
    }
    const Eigen::SelfAdjointEigenSolver<Matrix> solver(A, options);
    ensure(solver.info() == Eigen::Success, "the symmetric eigensolver did not converge");
    const bool vectors = (options & Eigen::ComputeEigenvectors) != 0;
    return {solver.eigenvalues(), vectors ? Matrix(solver.eigenvectors()) : Matrix()};
}

}  // namespace

Matrix stack_qr(const Matrix& R, const Matrix& B) {
    require(R.rows() == 0 || R.cols() == B.cols(), "stack_qr: R and B disagree on columns");
    throw_if_stopped("qr");
    Matrix A(R.rows() + B.rows(), B.cols());
    A << R, B;
    const Index k = std::min(A.rows(), A.cols());
    if (k == 0) {
        return Matrix(0, B.cols());
    }
    const Eigen::HouseholderQR<Matrix> qr(A);
    return qr.matrixQR().topRows(k).triangularView<Eigen::Upper>();
}

ThinQr thin_qr(const Matrix& A) {
    const Index k = std::min(A.rows(), A.cols());
    if (k == 0) {
        return {Matrix(A.rows(), 0), Matrix(0, A.cols())};
    }
    const Eigen::HouseholderQR<Matrix> qr(A);
    return {qr.householderQ() * Matrix::Identity(A.rows(), k),
            qr.matrixQR().topRows(k).triangularView<Eigen::Upper>()};
}

Vector symmetric_eigenvalues(const Matrix& A) {
    return solve_symmetric(A, Eigen::EigenvaluesOnly).values;
}

SymmetricEigen symmetric_eigen(const Matrix& A) {
    return solve_symmetric(A, Eigen::ComputeEigenvectors);
}

Svd svd(const Matrix& A) {
    if (A.size() == 0) {
        return {Matrix(A.rows(), 0), Vector(0), Matrix(A.cols(), 0)};
    }
    const Eigen::BDCSVD<Matrix> solver(A, Eigen::ComputeThinU | Eigen::ComputeThinV);
    return {solver.matrixU(), solver.singularValues(), solver.matrixV()};
}

Vector singular_values(const Matrix& A) {
    throw_if_stopped("singular_values");
    if (A.size() == 0) {
        return Vector(0);
    }
    const Eigen::BDCSVD<Matrix> solver(A);
    return solver.singularValues();
}

CholeskyFactor cholesky(const Matrix& A) {
    require(A.rows() == A.cols(), "cholesky: the matrix is not square");
    const Eigen::LLT<Matrix, Eigen::Lower> llt(A);
    CholeskyFactor factor{llt.matrixL(), false, 0.0};
    if (llt.info() == Eigen::Success) {
        factor.rcond = A.rows() == 0 ? 1.0 : llt.rcond();
        factor.positive = factor.rcond > 0.0;
    }
    return factor;
}

Matrix cholesky_solve(const CholeskyFactor& factor, const Matrix& B) {
    require(factor.positive, "cholesky_solve: the matrix is not positive definite");
    require(factor.L.rows() == B.rows(),
            "cholesky_solve: the right-hand side has the wrong height");
    Matrix X = factor.L.triangularView<Eigen::Lower>().solve(B);
    factor.L.transpose().triangularView<Eigen::Upper>().solveInPlace(X);
    return X;
}

Matrix solve_upper(const Matrix& R, const Matrix& B) {
    require(R.rows() == R.cols() && R.rows() == B.rows(), "solve_upper: the shapes do not match");
    require((R.diagonal().array().abs() > 0.0).all(), "solve_upper: the matrix is singular");
    return R.triangularView<Eigen::Upper>().solve(B);
}

double triangular_rcond(const Matrix& R) {
    require(R.rows() == R.cols(), "triangular_rcond: the matrix is not square");
    if (R.size() == 0 || !(R.diagonal().array().abs() > 0.0).all()) {
        return R.size() == 0 ? 1.0 : 0.0;
    }
    const Matrix inverse =
        R.triangularView<Eigen::Upper>().solve(Matrix::Identity(R.rows(), R.cols()));
    const auto norm1 = [](const Matrix& A) { return A.cwiseAbs().colwise().sum().maxCoeff(); };
    return 1.0 / (norm1(R) * norm1(inverse));
}

void add_syrk(Matrix& C, const Matrix& A) {
    require(C.rows() == A.rows() && C.cols() == A.rows(), "add_syrk: the shapes do not match");
    C.selfadjointView<Eigen::Lower>().rankUpdate(A);
}

void add_product(Matrix& C, const Matrix& A, const Matrix& B) {
    require(A.cols() == B.rows() && C.rows() == A.rows() && C.cols() == B.cols(),
            "add_product: the shapes do not match");
    C.noalias() += A * B;
}

void add_outer_product(Matrix& C, const Matrix& A, const Matrix& B) {
    require(A.cols() == B.cols() && C.rows() == A.rows() && C.cols() == B.rows(),
            "add_outer_product: the shapes do not match");
    C.noalias() += A * B.transpose();
}

LapackInfo lapack_info() {
    return {
        "eigen",
        formatted("Eigen {}.{}.{}", EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION),
        "",
        1};
}

void set_blas_threads(int /*threads*/) {}

void end_idle_blas_threads() {}

}  // namespace attest

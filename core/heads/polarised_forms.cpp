#include "core/heads/polarised_forms.hpp"

#include "core/heads/isometric.hpp"
#include "core/rng/sample.hpp"

namespace attest {

namespace {

/// [A's columns | an orthonormal complement], A with orthonormal columns.
Matrix completed(const Matrix& A) {
    Matrix stacked(A.rows(), A.cols() + A.rows());
    stacked << A, Matrix::Identity(A.rows(), A.rows());
    Matrix full = thin_qr(stacked).Q;
    full.leftCols(A.cols()) = A;
    return full;
}

}  // namespace

FormBasis best_form_basis(const Matrix& P, Index d, Index H, const Stream& stream) {
    FormBasis best;
    for (Index i = 0; i < 3; ++i) {
        const Matrix X = thin_qr(grid_matrix(grid_normal(), d, d, stream.child(i))).Q;
        const Vector x = X.col(0);
        const Svd first = svd(form_matrix<double>(P, x));
        const double separation = first.sigma(0) > 0.0 ? first.sigma(H - 1) / first.sigma(0) : 0.0;
        if (separation > best.separation) {
            best = {X, first, separation};
        }
    }
    return best;
}

PolarisedForms::PolarisedForms(const Matrix& P, const FormBasis& basis, Index H)
    : P_(P),
      X_(basis.X),
      H_(H),
      left_(completed(basis.first.U.leftCols(H))),
      right_(completed(basis.first.V.leftCols(H))) {}

Matrix PolarisedForms::at(Index i, Index j) const {
    const Vector x = X_.col(i);
    const Vector y = X_.col(j);
    const Matrix N =
        form_matrix<double>(P_, x + y) - form_matrix<double>(P_, x) - form_matrix<double>(P_, y);
    return left_.transpose() * N * right_;
}

}  // namespace attest

#include "core/algebra/dense_least_squares.hpp"
#include "core/base/error.hpp"

namespace attest {

namespace {

[[noreturn]] DenseLeastSquares missing() {
    throw NotAvailable("this build has no LAPACKE; try eigen_householder, eigen_cod, eigen_bdcsvd");
}

}  // namespace

DenseLeastSquares lapack_gels(Matrix /*A*/, const Matrix& /*B*/, double /*threshold*/) {
    missing();
}

DenseLeastSquares lapack_gelsy(Matrix /*A*/, const Matrix& /*B*/, double /*threshold*/) {
    missing();
}

DenseLeastSquares lapack_gelsd(Matrix /*A*/, const Matrix& /*B*/, double /*threshold*/) {
    missing();
}

}  // namespace attest

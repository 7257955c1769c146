#include "core/algebra/bidiagonal.hpp"
#include "core/algebra/lapack.hpp"
#include "core/algebra/lapacke_call.hpp"
#include "core/base/error.hpp"

#include <lapacke.h>

#include <algorithm>
#include <optional>

namespace attest {

namespace {

SymmetricEigen divide_and_conquer(const Matrix& A, char job) {
    require(A.rows() == A.cols(), "symmetric_eigen: the matrix is not square");
    SymmetricEigen result{Vector(A.rows()), A};
    if (A.size() > 0) {
        const lapack_int info = LAPACKE_dsyevd(LAPACK_COL_MAJOR,
                                               job,
                                               'L',
                                               lapack_size(A.rows()),
                                               result.vectors.data(),
                                               lapack_size(A.rows()),
                                               result.values.data());
        ensure(lapack_info_of(info, "dsyevd") == 0, "dsyevd did not converge");
    }
    return result;
}

/// One of LAPACK's two SVD drivers on a copy of A; false when it did not converge. Vt is 1×n
/// without vectors.
template <class Driver>
bool converges(const Driver& driver, const Matrix& A, Svd& result, Matrix& Vt) {
    Matrix work = A;
    return driver(work, result, Vt) == 0;
}

/// Divide and conquer, and where that does not converge (seen on graded, rank-deficient matrices)
/// the slower QR iteration, which is as accurate.
Svd decompose(const Matrix& A, char job) {
    const Index k = std::min(A.rows(), A.cols());
    const bool vectors = job == 'S';
    Svd result{Matrix(A.rows(), vectors ? k : 0), Vector(k), Matrix()};
    Matrix Vt(vectors ? k : 1, A.cols());
    const auto m = lapack_size(A.rows());
    const auto n = lapack_size(A.cols());
    const auto divide = [&](Matrix& work, Svd& to, Matrix& right) {
        return lapack_info_of(LAPACKE_dgesdd(LAPACK_COL_MAJOR,
                                             job,
                                             m,
                                             n,
                                             work.data(),
                                             m,
                                             to.sigma.data(),
                                             to.U.data(),
                                             m,
                                             right.data(),
                                             lapack_size(right.rows())),
                              "dgesdd");
    };
    const auto iterate = [&](Matrix& work, Svd& to, Matrix& right) {
        Vector superdiagonal(k);
        return lapack_info_of(LAPACKE_dgesvd(LAPACK_COL_MAJOR,
                                             job,
                                             job,
                                             m,
                                             n,
                                             work.data(),
                                             m,
                                             to.sigma.data(),
                                             to.U.data(),
                                             m,
                                             right.data(),
                                             lapack_size(right.rows()),
                                             superdiagonal.data()),
                              "dgesvd");
    };
    if (k > 0 && !converges(divide, A, result, Vt)) {
        ensure(converges(iterate, A, result, Vt), "neither dgesdd nor dgesvd converged");
    }
    result.V = vectors ? Matrix(Vt.transpose()) : Matrix();
    return result;
}

}  // namespace

Vector symmetric_eigenvalues(const Matrix& A) {
    return divide_and_conquer(A, 'N').values;
}

SymmetricEigen symmetric_eigen(const Matrix& A) {
    return divide_and_conquer(A, 'V');
}

Svd svd(const Matrix& A) {
    return decompose(A, 'S');
}

Vector singular_values(const Matrix& A) {
    const std::optional<Vector> in_steps = singular_values_in_steps(A);
    return in_steps ? *in_steps : decompose(A, 'N').sigma;
}

}  // namespace attest

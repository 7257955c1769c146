#include "core/algebra/lapack.hpp"
#include "core/base/error.hpp"
#include "core/base/text.hpp"

#include <cblas.h>
#include <dlfcn.h>
#include <lapacke.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

namespace attest {

namespace {

lapack_int size(Index n) {
    return static_cast<lapack_int>(n);
}

/// LAPACK's info: negative means that we called it wrongly, positive is the caller's to read.
lapack_int checked(lapack_int info, const char* routine) {
    ensure(info >= 0, concat(routine, " rejects its argument ", -info));
    return info;
}

SymmetricEigen divide_and_conquer(const Matrix& A, char job) {
    require(A.rows() == A.cols(), "symmetric_eigen: the matrix is not square");
    SymmetricEigen result{Vector(A.rows()), A};
    if (A.size() > 0) {
        const lapack_int info = LAPACKE_dsyevd(LAPACK_COL_MAJOR,
                                               job,
                                               'L',
                                               size(A.rows()),
                                               result.vectors.data(),
                                               size(A.rows()),
                                               result.values.data());
        ensure(checked(info, "dsyevd") == 0, "dsyevd did not converge");
    }
    return result;
}

Svd divide_and_conquer_svd(const Matrix& A, char job) {
    const Index k = std::min(A.rows(), A.cols());
    const bool vectors = job == 'S';
    Svd result{Matrix(A.rows(), vectors ? k : 0), Vector(k), Matrix()};
    Matrix work = A;
    Matrix Vt(vectors ? k : 1, A.cols());
    if (k > 0) {
        const lapack_int info = LAPACKE_dgesdd(LAPACK_COL_MAJOR,
                                               job,
                                               size(A.rows()),
                                               size(A.cols()),
                                               work.data(),
                                               size(A.rows()),
                                               result.sigma.data(),
                                               result.U.data(),
                                               size(A.rows()),
                                               Vt.data(),
                                               size(Vt.rows()));
        ensure(checked(info, "dgesdd") == 0, "dgesdd did not converge");
    }
    result.V = vectors ? Matrix(Vt.transpose()) : Matrix();
    return result;
}

}  // namespace

Matrix stack_qr(const Matrix& R, const Matrix& B) {
    require(R.rows() == 0 || R.cols() == B.cols(), "stack_qr: R and B disagree on columns");
    Matrix A(R.rows() + B.rows(), B.cols());
    A << R, B;
    const Index k = std::min(A.rows(), A.cols());
    if (k == 0) {
        return Matrix(0, B.cols());
    }
    std::vector<double> tau(static_cast<std::size_t>(k));
    checked(
        LAPACKE_dgeqrf(
            LAPACK_COL_MAJOR, size(A.rows()), size(A.cols()), A.data(), size(A.rows()), tau.data()),
        "dgeqrf");
    return A.topRows(k).triangularView<Eigen::Upper>();
}

ThinQr thin_qr(const Matrix& A) {
    const Index k = std::min(A.rows(), A.cols());
    if (k == 0) {
        return {Matrix(A.rows(), 0), Matrix(0, A.cols())};
    }
    Matrix work = A;
    std::vector<double> tau(static_cast<std::size_t>(k));
    checked(LAPACKE_dgeqrf(LAPACK_COL_MAJOR,
                           size(A.rows()),
                           size(A.cols()),
                           work.data(),
                           size(A.rows()),
                           tau.data()),
            "dgeqrf");
    ThinQr result{Matrix(), work.topRows(k).triangularView<Eigen::Upper>()};
    checked(LAPACKE_dorgqr(LAPACK_COL_MAJOR,
                           size(A.rows()),
                           size(k),
                           size(k),
                           work.data(),
                           size(A.rows()),
                           tau.data()),
            "dorgqr");
    result.Q = work.leftCols(k);
    return result;
}

Vector symmetric_eigenvalues(const Matrix& A) {
    return divide_and_conquer(A, 'N').values;
}

SymmetricEigen symmetric_eigen(const Matrix& A) {
    return divide_and_conquer(A, 'V');
}

Svd svd(const Matrix& A) {
    return divide_and_conquer_svd(A, 'S');
}

Vector singular_values(const Matrix& A) {
    return divide_and_conquer_svd(A, 'N').sigma;
}

CholeskyFactor cholesky(const Matrix& A) {
    require(A.rows() == A.cols(), "cholesky: the matrix is not square");
    const Index n = A.rows();
    CholeskyFactor factor{A.triangularView<Eigen::Lower>(), false, 0.0};
    const double norm =
        n == 0 ? 0.0
               : LAPACKE_dlansy(
                     LAPACK_COL_MAJOR, '1', 'L', size(n), A.data(), size(std::max<Index>(n, 1)));
    const lapack_int info = LAPACKE_dpotrf(
        LAPACK_COL_MAJOR, 'L', size(n), factor.L.data(), size(std::max<Index>(n, 1)));
    if (checked(info, "dpotrf") > 0) {
        return factor;
    }
    checked(LAPACKE_dpocon(LAPACK_COL_MAJOR,
                           'L',
                           size(n),
                           factor.L.data(),
                           size(std::max<Index>(n, 1)),
                           norm,
                           &factor.rcond),
            "dpocon");
    factor.positive = factor.rcond > 0.0;
    return factor;
}

Matrix cholesky_solve(const CholeskyFactor& factor, const Matrix& B) {
    require(factor.positive, "cholesky_solve: the matrix is not positive definite");
    require(factor.L.rows() == B.rows(),
            "cholesky_solve: the right-hand side has the wrong height");
    Matrix X = B;
    checked(LAPACKE_dpotrs(LAPACK_COL_MAJOR,
                           'L',
                           size(B.rows()),
                           size(B.cols()),
                           factor.L.data(),
                           size(B.rows()),
                           X.data(),
                           size(B.rows())),
            "dpotrs");
    return X;
}

Matrix solve_upper(const Matrix& R, const Matrix& B) {
    require(R.rows() == R.cols() && R.rows() == B.rows(), "solve_upper: the shapes do not match");
    Matrix X = B;
    const lapack_int info = LAPACKE_dtrtrs(LAPACK_COL_MAJOR,
                                           'U',
                                           'N',
                                           'N',
                                           size(R.rows()),
                                           size(B.cols()),
                                           R.data(),
                                           size(R.rows()),
                                           X.data(),
                                           size(B.rows()));
    require(checked(info, "dtrtrs") == 0, "solve_upper: the matrix is singular");
    return X;
}

double triangular_rcond(const Matrix& R) {
    require(R.rows() == R.cols(), "triangular_rcond: the matrix is not square");
    double rcond = 0.0;
    checked(LAPACKE_dtrcon(
                LAPACK_COL_MAJOR, '1', 'U', 'N', size(R.rows()), R.data(), size(R.rows()), &rcond),
            "dtrcon");
    return rcond;
}

void add_syrk(Matrix& C, const Matrix& A) {
    require(C.rows() == A.rows() && C.cols() == A.rows(), "add_syrk: the shapes do not match");
    cblas_dsyrk(CblasColMajor,
                CblasLower,
                CblasNoTrans,
                size(A.rows()),
                size(A.cols()),
                1.0,
                A.data(),
                size(A.rows()),
                1.0,
                C.data(),
                size(C.rows()));
}

void add_product(Matrix& C, const Matrix& A, const Matrix& B) {
    require(A.cols() == B.rows() && C.rows() == A.rows() && C.cols() == B.cols(),
            "add_product: the shapes do not match");
    if (C.size() == 0 || A.cols() == 0) {
        return;
    }
    cblas_dgemm(CblasColMajor,
                CblasNoTrans,
                CblasNoTrans,
                size(A.rows()),
                size(B.cols()),
                size(A.cols()),
                1.0,
                A.data(),
                size(A.rows()),
                B.data(),
                size(B.rows()),
                1.0,
                C.data(),
                size(C.rows()));
}

namespace {

/// A function of the BLAS that happens to be mapped, or null where it has none of that name.
template <class Function>
Function* blas_function(const char* name) {
    return reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));  // NOLINT(*-reinterpret-cast)
}

}  // namespace

LapackInfo lapack_info() {
    LapackInfo info{"lapacke", "unknown", "", 1};
    Dl_info where{};
    if (void* gemm = dlsym(RTLD_DEFAULT, "cblas_dgemm");
        gemm != nullptr && dladdr(gemm, &where) != 0 && where.dli_fname != nullptr) {
        std::vector<char> resolved(4096);
        info.library = realpath(where.dli_fname, resolved.data()) != nullptr ? resolved.data()
                                                                             : where.dli_fname;
    }
    if (auto* core = blas_function<char*()>("openblas_get_corename"); core != nullptr) {
        info.core = core();
    }
    if (auto* threads = blas_function<int()>("openblas_get_num_threads"); threads != nullptr) {
        info.threads = threads();
    } else if (auto* blis = blas_function<long()>("bli_thread_get_num_threads"); blis != nullptr) {
        info.threads = static_cast<int>(blis());
    }
    return info;
}

void set_blas_threads(int threads) {
    if (auto* set = blas_function<void(int)>("openblas_set_num_threads"); set != nullptr) {
        set(threads);
    }
    if (auto* blis = blas_function<void(long)>("bli_thread_set_num_threads"); blis != nullptr) {
        blis(threads);
    }
}

}  // namespace attest

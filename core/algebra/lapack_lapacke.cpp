#include "core/algebra/blas_core.hpp"
#include "core/algebra/lapack.hpp"
#include "core/algebra/lapacke_call.hpp"
#include "core/base/error.hpp"
#include "core/base/interrupt.hpp"
#include "core/base/memory.hpp"
#include "core/base/text.hpp"

#include <cblas.h>
#include <dlfcn.h>
#include <lapacke.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

namespace attest {

namespace {

/// C += A Aᵀ on the lower triangle of C, of a sign; n×n and n×k with their leading dimensions.
void rank_update(Index n, Index k, double sign, const double* A, Index lda, double* C, Index ldc) {
    cblas_dsyrk(CblasColMajor,
                CblasLower,
                CblasNoTrans,
                lapack_size(n),
                lapack_size(k),
                sign,
                A,
                lapack_size(lda),
                1.0,
                C,
                lapack_size(ldc));
}

/// Columns of one rank update of an n×n matrix that keeps to kOneCall, at least 64.
Index update_columns(Index n) {
    const auto size = static_cast<double>(std::max<Index>(n, 1));
    return std::max<Index>(64, static_cast<Index>(kOneCall / (size * size)));
}

/// Factors the lower triangle of L in place, a block of columns at a time where dpotrf would be a
/// long call; false at a pivot that is not positive.
bool factor_lower(Matrix& L) {
    const Index n = L.rows();
    const auto size = static_cast<double>(n);
    const Index step = size * size * size / 3.0 <= kOneCall ? n : update_columns(n);
    for (Index j = 0; j < n; j += step) {
        throw_if_stopped("cholesky");
        const Index width = std::min(step, n - j);
        const Index below = n - j - width;
        double* const corner = L.data() + j * (n + 1);
        const lapack_int info =
            LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', lapack_size(width), corner, lapack_size(n));
        if (lapack_info_of(info, "dpotrf") > 0) {
            return false;
        }
        if (below > 0) {
            cblas_dtrsm(CblasColMajor,
                        CblasRight,
                        CblasLower,
                        CblasTrans,
                        CblasNonUnit,
                        lapack_size(below),
                        lapack_size(width),
                        1.0,
                        corner,
                        lapack_size(n),
                        corner + width,
                        lapack_size(n));
            rank_update(below, width, -1.0, corner + width, n, corner + width * (n + 1), n);
        }
    }
    return true;
}

/// C += A·op(B), op(B) of A.cols() rows.
void add_gemm(Matrix& C, const Matrix& A, const Matrix& B, CBLAS_TRANSPOSE transpose) {
    if (C.size() == 0 || A.cols() == 0) {
        return;
    }
    cblas_dgemm(CblasColMajor,
                CblasNoTrans,
                transpose,
                lapack_size(C.rows()),
                lapack_size(C.cols()),
                lapack_size(A.cols()),
                1.0,
                A.data(),
                lapack_size(A.rows()),
                B.data(),
                lapack_size(B.rows()),
                1.0,
                C.data(),
                lapack_size(C.rows()));
}

/// A function of the BLAS that happens to be mapped, or null where it has none of that name.
template <class Function>
Function* blas_function(const char* name) {
    return reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));  // NOLINT(*-reinterpret-cast)
}

}  // namespace

CholeskyFactor cholesky(const Matrix& A) {
    require(A.rows() == A.cols(), "cholesky: the matrix is not square");
    const Index n = A.rows();
    CholeskyFactor factor{A.triangularView<Eigen::Lower>(), false, 0.0};
    const double norm = n == 0 ? 0.0
                               : LAPACKE_dlansy(LAPACK_COL_MAJOR,
                                                '1',
                                                'L',
                                                lapack_size(n),
                                                A.data(),
                                                lapack_size(std::max<Index>(n, 1)));
    if (!factor_lower(factor.L)) {
        return factor;
    }
    lapack_info_of(LAPACKE_dpocon(LAPACK_COL_MAJOR,
                                  'L',
                                  lapack_size(n),
                                  factor.L.data(),
                                  lapack_size(std::max<Index>(n, 1)),
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
    lapack_info_of(LAPACKE_dpotrs(LAPACK_COL_MAJOR,
                                  'L',
                                  lapack_size(B.rows()),
                                  lapack_size(B.cols()),
                                  factor.L.data(),
                                  lapack_size(B.rows()),
                                  X.data(),
                                  lapack_size(B.rows())),
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
                                           lapack_size(R.rows()),
                                           lapack_size(B.cols()),
                                           R.data(),
                                           lapack_size(R.rows()),
                                           X.data(),
                                           lapack_size(B.rows()));
    require(lapack_info_of(info, "dtrtrs") == 0, "solve_upper: the matrix is singular");
    return X;
}

double triangular_rcond(const Matrix& R) {
    require(R.rows() == R.cols(), "triangular_rcond: the matrix is not square");
    double rcond = 0.0;
    lapack_info_of(LAPACKE_dtrcon(LAPACK_COL_MAJOR,
                                  '1',
                                  'U',
                                  'N',
                                  lapack_size(R.rows()),
                                  R.data(),
                                  lapack_size(R.rows()),
                                  &rcond),
                   "dtrcon");
    return rcond;
}

void add_syrk(Matrix& C, const Matrix& A) {
    require(C.rows() == A.rows() && C.cols() == A.rows(), "add_syrk: the shapes do not match");
    const Index step = update_columns(A.rows());
    for (Index k = 0; k < A.cols(); k += step) {
        throw_if_stopped("add_syrk");
        rank_update(A.rows(),
                    std::min(step, A.cols() - k),
                    1.0,
                    A.data() + k * A.rows(),
                    A.rows(),
                    C.data(),
                    C.rows());
    }
}

void add_product(Matrix& C, const Matrix& A, const Matrix& B) {
    require(A.cols() == B.rows() && C.rows() == A.rows() && C.cols() == B.cols(),
            "add_product: the shapes do not match");
    add_gemm(C, A, B, CblasNoTrans);
}

void add_outer_product(Matrix& C, const Matrix& A, const Matrix& B) {
    require(A.cols() == B.cols() && C.rows() == A.rows() && C.cols() == B.rows(),
            "add_outer_product: the shapes do not match");
    add_gemm(C, A, B, CblasTrans);
}

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
    threads = std::min(threads, affordable_blas_threads(process_memory_limit()));
    if (auto* set = blas_function<void(int)>("openblas_set_num_threads"); set != nullptr) {
        set(threads);
    }
    if (auto* blis = blas_function<void(long)>("bli_thread_set_num_threads"); blis != nullptr) {
        blis(threads);
    }
}

}  // namespace attest

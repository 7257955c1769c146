#pragma once

#include "core/algebra/matrix.hpp"

#include <string>

namespace attest {

/// Thin SVD A = U diag(sigma) Vᵀ, sigma descending; A is m×n, U is m×min, V is n×min.
struct Svd {
    Matrix U;
    Vector sigma;
    Matrix V;
};

/// A factorisation that either succeeded, or stopped at a pivot that is not positive.
struct CholeskyFactor {
    Matrix L;       ///< lower triangle; the strict upper triangle is zero
    bool positive;  ///< false: A is not numerically positive definite and L must not be used
    double rcond;   ///< LAPACK's estimate of 1/cond₁(A), 0 when not positive
};

/// Householder R of [R; B] = Q R', overwriting neither. R is k×n upper triangular or has 0 rows, B
/// is m×n; the result is min(k+m, n)×n, upper triangular (trapezoidal). 2mn² flops when k = n.
[[nodiscard]] Matrix stack_qr(const Matrix& R, const Matrix& B);

/// Thin Householder factorisation A = Q R; A is m×n, Q is m×k with orthonormal columns, R is k×n
/// upper trapezoidal, k = min(m, n).
struct ThinQr {
    Matrix Q;
    Matrix R;
};

[[nodiscard]] ThinQr thin_qr(const Matrix& A);

/// Eigenvalues of a symmetric matrix, ascending. Only the lower triangle is read.
[[nodiscard]] Vector symmetric_eigenvalues(const Matrix& A);

/// Eigenvalues ascending and the orthonormal eigenvectors (columns) of a symmetric matrix.
struct SymmetricEigen {
    Vector values;
    Matrix vectors;
};

[[nodiscard]] SymmetricEigen symmetric_eigen(const Matrix& A);

/// Thin singular value decomposition (divide and conquer).
[[nodiscard]] Svd svd(const Matrix& A);

/// Singular values only, descending.
[[nodiscard]] Vector singular_values(const Matrix& A);

/// Cholesky factor A = L Lᵀ; only A's lower triangle is read.
[[nodiscard]] CholeskyFactor cholesky(const Matrix& A);

/// Solves L Lᵀ X = B by two triangular solves.
[[nodiscard]] Matrix cholesky_solve(const CholeskyFactor& factor, const Matrix& B);

/// Solves R X = B with R square, upper triangular.
[[nodiscard]] Matrix solve_upper(const Matrix& R, const Matrix& B);

/// 1/cond₁ of an upper triangular matrix (LAPACK dtrcon or its Eigen counterpart); 0 if singular.
[[nodiscard]] double triangular_rcond(const Matrix& R);

/// C += A Aᵀ on the lower triangle of C (BLAS dsyrk). A is n×k, C is n×n.
void add_syrk(Matrix& C, const Matrix& A);

/// C += A B (BLAS dgemm). A is m×k, B is k×n, C is m×n and none of the two.
void add_product(Matrix& C, const Matrix& A, const Matrix& B);

/// C += A Bᵀ (BLAS dgemm). A is m×k, B is n×k, C is m×n and none of the two.
void add_outer_product(Matrix& C, const Matrix& A, const Matrix& B);

/// The linear algebra that answers: library, kernel and threads as the process reports them.
struct LapackInfo {
    std::string backend;  ///< "lapacke" or "eigen"
    std::string library;  ///< path of the BLAS that is mapped, or "Eigen 3.4.0"
    std::string core;     ///< OpenBLAS's kernel name where it says one, else empty
    int threads;          ///< threads BLAS will use
};

[[nodiscard]] LapackInfo lapack_info();

/// Asks the BLAS for this many threads, where it can be asked, and for no more than are
/// affordable (core/algebra/blas_core.hpp).
void set_blas_threads(int threads);

}  // namespace attest

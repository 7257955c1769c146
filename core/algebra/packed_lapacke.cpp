#include "core/algebra/lapacke_call.hpp"
#include "core/algebra/packed_cholesky.hpp"
#include "core/base/interrupt.hpp"
#include "core/base/progress_scope.hpp"

#include <cblas.h>
#include <lapacke.h>

#include <algorithm>

namespace attest {

namespace {

/// B becomes (L Lᵀ)⁻¹ B by LAPACK's ?pftrs.
template <class Scalar, class Routine>
void solve_by(Routine routine, const char* name, const VectorOf<Scalar>& L, MatrixOf<Scalar>& B) {
    const lapack_int n = lapack_size(B.rows());
    const lapack_int columns = lapack_size(B.cols());
    lapack_info_of(routine(LAPACK_COL_MAJOR, 'N', 'L', n, columns, L.data(), B.data(), n), name);
}

/// Rows or columns of one step, so that a step of a matrix with 6000 columns takes a fraction of a
/// second.
constexpr Index kStep = 1024;

/// A = [A11 ·; A21 A22] in LAPACK's rectangular full packed storage: A11 lower, A22 as the upper
/// triangle of its transpose, all of one leading dimension (Gustavson, Wasniewski, Dongarra and
/// Langou 2010).
struct Halves {
    Index n1;
    Index n2;
    lapack_int ld;
    double* A11;
    double* A21;
    double* A22;
};

Halves halves(Vector& A, Index n) {
    const Index n2 = n / 2;
    const bool odd = n % 2 == 1;
    double* const base = A.data();
    return {n - n2,
            n2,
            lapack_size(odd ? n : n + 1),
            base + (odd ? 0 : 1),
            base + (odd ? n - n2 : n2 + 1),
            base + (odd ? n : 0)};
}

bool factor_half(char triangle, Index n, double* A, lapack_int ld, Index done, Index all) {
    throw_if_stopped("packed_cholesky");
    note_progress("columns", done, all);
    return lapack_info_of(LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, triangle, lapack_size(n), A, ld),
                          "dpotrf") == 0;
}

}  // namespace

// The steps of ?pftrf, with a look at the stop token between them: one call of it would keep a user
// who asks to stop waiting for n³/3 operations.
bool factor_packed(Vector& A, Index n) {
    const Halves at = halves(A, n);
    if (!factor_half('L', at.n1, at.A11, at.ld, 0, n)) {
        return false;
    }
    for (Index row = 0; row < at.n2; row += kStep) {
        throw_if_stopped("packed_cholesky");
        cblas_dtrsm(CblasColMajor,
                    CblasRight,
                    CblasLower,
                    CblasTrans,
                    CblasNonUnit,
                    lapack_size(std::min(kStep, at.n2 - row)),
                    lapack_size(at.n1),
                    1.0,
                    at.A11,
                    at.ld,
                    at.A21 + row,
                    at.ld);
    }
    for (Index column = 0; column < at.n1; column += kStep) {
        throw_if_stopped("packed_cholesky");
        cblas_dsyrk(CblasColMajor,
                    CblasUpper,
                    CblasNoTrans,
                    lapack_size(at.n2),
                    lapack_size(std::min(kStep, at.n1 - column)),
                    -1.0,
                    at.A21 + column * at.ld,
                    at.ld,
                    1.0,
                    at.A22,
                    at.ld);
    }
    return at.n2 == 0 || factor_half('U', at.n2, at.A22, at.ld, at.n1, n);
}

bool factor_packed(VectorOf<float>& A, Index n) {
    return lapack_info_of(LAPACKE_spftrf(LAPACK_COL_MAJOR, 'N', 'L', lapack_size(n), A.data()),
                          "spftrf") == 0;
}

void solve_packed(const Vector& L, Matrix& B) {
    solve_by(LAPACKE_dpftrs_work, "dpftrs", L, B);
}

void solve_packed(const VectorOf<float>& L, MatrixOf<float>& B) {
    solve_by(LAPACKE_spftrs_work, "spftrs", L, B);
}

}  // namespace attest

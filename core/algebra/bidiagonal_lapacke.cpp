#include "core/algebra/bidiagonal.hpp"
#include "core/algebra/lapacke_call.hpp"
#include "core/base/interrupt.hpp"
#include "core/base/progress_scope.hpp"

#include <cblas.h>
#include <lapacke.h>

// LAPACK's reduction of a panel to bidiagonal form, which has no interface for C.
// NOLINTNEXTLINE(readability-identifier-naming): its name
extern "C" void dlabrd_(const lapack_int* m,
                        const lapack_int* n,
                        const lapack_int* nb,
                        double* A,
                        const lapack_int* lda,
                        double* d,
                        double* e,
                        double* tauq,
                        double* taup,
                        double* X,
                        const lapack_int* ldx,
                        double* Y,
                        const lapack_int* ldy);

namespace attest {

namespace {

/// Columns that LAPACK's dgebrd reduces at a time, and those that it leaves to its last step.
constexpr Index kPanelColumns = 32;
constexpr Index kLastColumns = 128;

/// A bidiagonal matrix with the singular values of a square one, and what its reduction needs.
struct Bidiagonal {
    explicit Bidiagonal(Index n)
        : diagonal(n), above(n), tauq(n), taup(n), X(n, kPanelColumns), Y(n, kPanelColumns) {}

    Vector diagonal;
    Vector above;
    Vector tauq;
    Vector taup;
    Matrix X;
    Matrix Y;
};

/// Reduces rows and columns i to i + 31 of A and updates what follows: A -= V Yᵀ + X Uᵀ.
void reduce_panel(Matrix& A, Index i, Bidiagonal& to) {
    const lapack_int ld = lapack_size(A.rows());
    const lapack_int panel = lapack_size(kPanelColumns);
    const lapack_int left = lapack_size(A.rows() - i);
    const lapack_int rest = left - panel;
    double* const corner = A.data() + i * (A.rows() + 1);
    double* const trailing = corner + kPanelColumns * (A.rows() + 1);
    dlabrd_(&left,
            &left,
            &panel,
            corner,
            &ld,
            to.diagonal.data() + i,
            to.above.data() + i,
            to.tauq.data() + i,
            to.taup.data() + i,
            to.X.data(),
            &ld,
            to.Y.data(),
            &ld);
    const auto subtract = [&](const double* tall, CBLAS_TRANSPOSE transpose, const double* wide) {
        cblas_dgemm(CblasColMajor,
                    CblasNoTrans,
                    transpose,
                    rest,
                    rest,
                    panel,
                    -1.0,
                    tall,
                    ld,
                    wide,
                    ld,
                    1.0,
                    trailing,
                    ld);
    };
    subtract(corner + panel, CblasTrans, to.Y.data() + panel);
    subtract(to.X.data() + panel, CblasNoTrans, corner + kPanelColumns * A.rows());
}

/// What dgebrd does, with a look at the stop token at every panel. Overwrites A.
Bidiagonal bidiagonal(Matrix& A) {
    const Index n = A.rows();
    Bidiagonal found(n);
    Index i = 0;
    for (; i < n - kLastColumns; i += kPanelColumns) {
        throw_if_stopped("singular_values");
        note_progress("singular values", i, n);
        reduce_panel(A, i, found);
    }
    const lapack_int left = lapack_size(n - i);
    lapack_info_of(LAPACKE_dgebrd(LAPACK_COL_MAJOR,
                                  left,
                                  left,
                                  A.data() + i * (n + 1),
                                  lapack_size(n),
                                  found.diagonal.data() + i,
                                  found.above.data() + i,
                                  found.tauq.data() + i,
                                  found.taup.data() + i),
                   "dgebrd");
    return found;
}

}  // namespace

std::optional<Vector> singular_values_in_steps(const Matrix& A) {
    constexpr Index kLarge = 512;
    constexpr double kFarthest = 1e130;  // dgesdd scales at about 1e138
    const double largest = A.size() > 0 ? A.cwiseAbs().maxCoeff<Eigen::PropagateNaN>() : 0.0;
    if (A.rows() != A.cols() || A.rows() < kLarge || !(largest < kFarthest) ||
        !(largest > 1.0 / kFarthest)) {
        return std::nullopt;
    }
    Matrix work = A;
    Bidiagonal found = bidiagonal(work);
    throw_if_stopped("singular_values");
    const lapack_int info = LAPACKE_dbdsdc(LAPACK_COL_MAJOR,
                                           'U',
                                           'N',
                                           lapack_size(A.rows()),
                                           found.diagonal.data(),
                                           found.above.data(),
                                           nullptr,
                                           1,
                                           nullptr,
                                           1,
                                           nullptr,
                                           nullptr);
    return lapack_info_of(info, "dbdsdc") == 0 ? std::optional(found.diagonal) : std::nullopt;
}

}  // namespace attest

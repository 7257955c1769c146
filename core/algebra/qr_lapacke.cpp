#include "core/algebra/lapack.hpp"
#include "core/algebra/lapacke_call.hpp"
#include "core/base/error.hpp"
#include "core/base/interrupt.hpp"

#include <lapacke.h>

#include <algorithm>
#include <vector>

namespace attest {

namespace {

constexpr Index kPanel = 128;

/// A QR factorisation in place, R above and the reflectors below: LAPACK's dgeqrf, a panel of
/// columns at a time where that is a long call.
void factor_qr(Matrix& A, std::vector<double>& tau) {
    const Index k = std::min(A.rows(), A.cols());
    const lapack_int ld = lapack_size(A.rows());
    const double work = 2.0 * static_cast<double>(A.rows()) * static_cast<double>(A.cols()) *
                        static_cast<double>(k);
    const Index panel = work <= kOneCall ? A.cols() : kPanel;
    for (Index j = 0; j < k; j += panel) {
        throw_if_stopped("qr");
        const Index width = std::min(panel, A.cols() - j);
        const Index height = A.rows() - j;
        double* const corner = A.data() + j + j * A.rows();
        lapack_info_of(LAPACKE_dgeqrf(LAPACK_COL_MAJOR,
                                      lapack_size(height),
                                      lapack_size(width),
                                      corner,
                                      ld,
                                      tau.data() + j),
                       "dgeqrf");
        const Index reflectors = std::min(width, height);
        const double column = 4.0 * static_cast<double>(height) * static_cast<double>(reflectors);
        const Index step = std::max<Index>(1, static_cast<Index>(kOneCall / column));
        for (Index at = j + width; at < A.cols(); at += step) {
            throw_if_stopped("qr");
            lapack_info_of(LAPACKE_dormqr(LAPACK_COL_MAJOR,
                                          'L',
                                          'T',
                                          lapack_size(height),
                                          lapack_size(std::min(step, A.cols() - at)),
                                          lapack_size(reflectors),
                                          corner,
                                          ld,
                                          tau.data() + j,
                                          A.data() + j + at * A.rows(),
                                          ld),
                           "dormqr");
        }
    }
}

}  // namespace

Matrix stack_qr(const Matrix& R, const Matrix& B) {
    require(R.rows() == 0 || R.cols() == B.cols(), "stack_qr: R and B disagree on columns");
    Matrix A(R.rows() + B.rows(), B.cols());
    A << R, B;
    const Index k = std::min(A.rows(), A.cols());
    if (k == 0) {
        return {0, B.cols()};
    }
    std::vector<double> tau(static_cast<std::size_t>(k));
    factor_qr(A, tau);
    return A.topRows(k).triangularView<Eigen::Upper>();
}

ThinQr thin_qr(const Matrix& A) {
    const Index k = std::min(A.rows(), A.cols());
    if (k == 0) {
        return {Matrix(A.rows(), 0), Matrix(0, A.cols())};
    }
    Matrix work = A;
    std::vector<double> tau(static_cast<std::size_t>(k));
    factor_qr(work, tau);
    ThinQr result{Matrix(), work.topRows(k).triangularView<Eigen::Upper>()};
    lapack_info_of(LAPACKE_dorgqr(LAPACK_COL_MAJOR,
                                  lapack_size(A.rows()),
                                  lapack_size(k),
                                  lapack_size(k),
                                  work.data(),
                                  lapack_size(A.rows()),
                                  tau.data()),
                   "dorgqr");
    result.Q = work.leftCols(k);
    return result;
}

}  // namespace attest

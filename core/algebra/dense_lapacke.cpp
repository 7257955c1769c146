#include "core/algebra/dense_least_squares.hpp"
#include "core/algebra/lapack.hpp"
#include "core/algebra/lapacke_call.hpp"

#include <lapacke.h>

#include <algorithm>
#include <vector>

namespace attest {

namespace {

/// B on top of what the drivers need: max(m, n) rows.
Matrix right_hand_side(const Matrix& A, const Matrix& B) {
    Matrix X = Matrix::Zero(std::max(A.rows(), A.cols()), B.cols());
    X.topRows(B.rows()) = B;
    return X;
}

}  // namespace

DenseLeastSquares lapack_gels(Matrix A, const Matrix& B, double /*threshold*/) {
    const Index m = A.rows();
    const Index n = A.cols();
    Matrix X = right_hand_side(A, B);
    const lapack_int info = LAPACKE_dgels(LAPACK_COL_MAJOR,
                                          'N',
                                          lapack_size(m),
                                          lapack_size(n),
                                          lapack_size(B.cols()),
                                          A.data(),
                                          lapack_size(m),
                                          X.data(),
                                          lapack_size(X.rows()));
    DenseLeastSquares result;
    if (lapack_info_of(info, "dgels") > 0) {
        return result;
    }
    // R above, or L transposed where there are fewer rows than columns.
    const Index k = std::min(m, n);
    Matrix R = A.topLeftCorner(k, k);
    if (m < n) {
        R.transposeInPlace();
    }
    result.rcond = triangular_rcond(R.triangularView<Eigen::Upper>());
    result.X = X.topRows(n);
    return result;
}

DenseLeastSquares lapack_gelsy(Matrix A, const Matrix& B, double threshold) {
    const Index m = A.rows();
    const Index n = A.cols();
    Matrix X = right_hand_side(A, B);
    std::vector<lapack_int> pivots(static_cast<std::size_t>(n), 0);
    lapack_int rank = 0;
    lapack_info_of(LAPACKE_dgelsy(LAPACK_COL_MAJOR,
                                  lapack_size(m),
                                  lapack_size(n),
                                  lapack_size(B.cols()),
                                  A.data(),
                                  lapack_size(m),
                                  X.data(),
                                  lapack_size(X.rows()),
                                  pivots.data(),
                                  threshold,
                                  &rank),
                   "dgelsy");
    DenseLeastSquares result{X.topRows(n), rank, 0.0};
    if (rank > 0) {
        result.rcond = triangular_rcond(A.topLeftCorner(rank, rank).triangularView<Eigen::Upper>());
    }
    return result;
}

DenseLeastSquares lapack_gelsd(Matrix A, const Matrix& B, double threshold) {
    const Index m = A.rows();
    const Index n = A.cols();
    Matrix X = right_hand_side(A, B);
    Vector sigma(std::min(m, n));
    lapack_int rank = 0;
    const lapack_int info = LAPACKE_dgelsd(LAPACK_COL_MAJOR,
                                           lapack_size(m),
                                           lapack_size(n),
                                           lapack_size(B.cols()),
                                           A.data(),
                                           lapack_size(m),
                                           X.data(),
                                           lapack_size(X.rows()),
                                           sigma.data(),
                                           threshold,
                                           &rank);
    if (lapack_info_of(info, "dgelsd") > 0) {
        return {};  // the divide-and-conquer iteration did not converge
    }
    return {X.topRows(n), rank, rank > 0 ? sigma(rank - 1) / sigma(0) : 0.0};
}

}  // namespace attest

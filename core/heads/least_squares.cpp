#include "core/heads/least_squares.hpp"

#include "core/algebra/lapack.hpp"
#include "core/base/error.hpp"

#include <limits>

namespace attest {

LeastSquares least_squares(const Matrix& A, const Matrix& B) {
    require(A.rows() == B.rows(), "least_squares: A and B disagree on rows");
    const double tiny = static_cast<double>(A.cols()) * std::numeric_limits<double>::epsilon();
    if (A.rows() >= A.cols()) {
        const ThinQr qr = thin_qr(A);
        const double rcond = triangular_rcond(qr.R);
        if (rcond > tiny) {
            return {qr.Q, solve_upper(qr.R, qr.Q.transpose() * B), rcond};
        }
    }
    const Svd decomposition = svd(A);
    const Vector& sigma = decomposition.sigma;
    const double largest = sigma.size() > 0 ? sigma(0) : 0.0;
    const Index rank = (sigma.array() > tiny * largest).count();
    const Matrix basis = decomposition.U.leftCols(rank);
    const Matrix coordinates =
        sigma.head(rank).cwiseInverse().asDiagonal() * (basis.transpose() * B);
    const double rcond = rank == sigma.size() && rank > 0 ? sigma(rank - 1) / largest : 0.0;
    return {basis, decomposition.V.leftCols(rank) * coordinates, rcond};
}

}  // namespace attest

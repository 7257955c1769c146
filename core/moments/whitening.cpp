#include "core/moments/whitening.hpp"

#include "core/algebra/lapack.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attest {

namespace {

constexpr Index kBlockTokens = 4096;

/// 1/cond₁ of R with its columns scaled to norm 1: coordinates in different units are no
/// dependence.
double scaled_rcond(const Matrix& R) {
    const Vector norms = R.colwise().norm();
    if (R.rows() < R.cols() || norms.minCoeff() <= 0.0) {
        return 0.0;
    }
    return triangular_rcond(R * norms.cwiseInverse().asDiagonal());
}

}  // namespace

Whitening token_whitening(const Dataset& data) {
    const Index T = data.tokens.cols();
    const Index d = data.d();
    require(T >= 1 && d >= 1, "token_whitening: the data set has no tokens");
    Matrix R(0, d);
    for (Index first = 0; first < T; first += kBlockTokens) {
        const Index count = std::min(kBlockTokens, T - first);
        R = stack_qr(R, data.tokens.middleCols(first, count).transpose());
    }
    const double rcond = scaled_rcond(R);
    if (rcond < static_cast<double>(d) * std::numeric_limits<double>::epsilon()) {
        return {Matrix::Identity(d, d), 0.0};
    }
    for (Index j = 0; j < d; ++j) {
        if (R(j, j) < 0.0) {
            R.row(j) = -R.row(j);
        }
    }
    return {R.transpose() / std::sqrt(static_cast<double>(T)), rcond};
}

}  // namespace attest

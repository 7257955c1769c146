#include "core/moments/whitening.hpp"

#include "core/algebra/lapack.hpp"
#include "core/base/error.hpp"
#include "core/base/text.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace attest {

namespace {

std::function<void(Dataset&)> whiten_by(const SequenceSource& data, const Matrix& L) {
    const Index d = data.shape().d;
    require(L.rows() == d && L.cols() == d,
            "WhitenedSource: got L {}x{}, expected {}x{}",
            L.rows(),
            L.cols(),
            d,
            d);
    // In place: whiten_tokens would hold each part twice more.
    return [L](Dataset& part) { L.triangularView<Eigen::Lower>().solveInPlace(part.tokens.own()); };
}

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

/// R of all tokens, from blocks of kBlockTokens however the runs are cut.
Matrix factor_of_tokens(const SequenceSource& data) {
    const Index d = data.shape().d;
    const Index all = data.shape().num_tokens();
    Matrix R(0, d);
    Matrix block(d, std::min(kBlockTokens, all));
    Index filled = 0;
    for_each_run(data, 0, all, [&](const TokenRun& run) {
        for (Index first = 0; first < run.tokens.cols();) {
            const Index count = std::min(block.cols() - filled, run.tokens.cols() - first);
            block.middleCols(filled, count) = run.tokens.middleCols(first, count);
            filled += count;
            first += count;
            if (filled == block.cols()) {
                R = stack_qr(R, block.transpose());
                filled = 0;
            }
        }
    });
    return filled > 0 ? stack_qr(R, block.leftCols(filled).transpose()) : R;
}

}  // namespace

WhitenedSource::WhitenedSource(const SequenceSource& data, const Matrix& L)
    : whitened_(data, whiten_by(data, L)), source_(whitened_) {}

Whitening token_whitening(const SequenceSource& data) {
    const Index T = data.shape().num_tokens();
    const Index d = data.shape().d;
    require(T >= 1 && d >= 1, "token_whitening: the data set has no tokens");
    return whitening_of_factor(factor_of_tokens(data), T);
}

Whitening whitening_of_factor(Matrix R, Index T) {
    const Index d = R.cols();
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

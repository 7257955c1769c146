#include "core/solve/kronecker_factors.hpp"

#include <limits>

namespace attest {

namespace {

double symmetric_norm1(const Matrix& lower) {
    const Matrix full = lower.selfadjointView<Eigen::Lower>();
    return full.cwiseAbs().colwise().sum().maxCoeff();
}

bool may_be_singular(const CholeskyFactor& factor) {
    const auto size = static_cast<double>(factor.L.rows());
    return !factor.positive || factor.rcond < size * std::numeric_limits<double>::epsilon();
}

}  // namespace

KroneckerFactors kronecker_factors(const Matrix& ss, const Matrix& uu) {
    return {cholesky(ss), cholesky(uu), symmetric_norm1(ss) * symmetric_norm1(uu)};
}

bool KroneckerFactors::singular_to_rounding() const {
    return may_be_singular(s) || may_be_singular(u);
}

Matrix KroneckerFactors::solve(const Matrix& G) const {
    const Index m = u.L.rows();
    const Index q = s.L.rows();
    Matrix by_state(q, m * G.cols());
    for (Index a = 0; a < G.cols(); ++a) {
        by_state.middleCols(a * m, m) = cholesky_solve(u, G.col(a).reshaped(m, q)).transpose();
    }
    by_state = cholesky_solve(s, by_state);
    Matrix X(G.rows(), G.cols());
    for (Index a = 0; a < G.cols(); ++a) {
        X.col(a) = by_state.middleCols(a * m, m).transpose().reshaped();
    }
    return X;
}

KroneckerFactors kronecker_factors(const MomentSource& source) {
    const SourceShape shape = source.shape();
    Matrix ss = Matrix::Zero(shape.q(), shape.q());
    Matrix uu = Matrix::Zero(shape.m(), shape.m());
    for (Index b = 0; b < shape.num_blocks; ++b) {
        const MomentBatch batch = source.block(b);
        add_syrk(ss, batch.S);
        add_syrk(uu, batch.u);
    }
    return kronecker_factors(ss, uu);
}

}  // namespace attest

#include "bench/experiments/sketch/moment_risk.hpp"

#include "core/algebra/lapack.hpp"
#include "core/base/error.hpp"

#include <algorithm>
#include <cmath>

namespace attest {

double relative_risk(const Matrix& P, const Moments& moments) {
    const double fit = P.cwiseProduct(moments.Lambda * P - 2.0 * moments.cross).sum();
    return std::max(0.0, moments.label_power + fit) / moments.label_power;
}

Matrix scaled_ridge(const Moments& moments, double ridge) {
    Vector scale = moments.Lambda.diagonal();
    for (double& entry : scale) {
        entry = entry > 0.0 ? 1.0 / std::sqrt(entry) : 0.0;
    }
    Matrix scaled = scale.asDiagonal() * moments.Lambda * scale.asDiagonal();
    scaled.diagonal().array() += ridge;
    const CholeskyFactor factor = cholesky(scaled);
    if (!factor.positive) {
        throw NotAvailable(formatted(
            "scaled_ridge: the second moment is singular; expected a ridge above {}", ridge));
    }
    return scale.asDiagonal() * cholesky_solve(factor, Matrix(scale.asDiagonal() * moments.cross));
}

}  // namespace attest

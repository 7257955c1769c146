#include "bench/experiments/sketch/moment_risk.hpp"

#include "core/algebra/lapack.hpp"
#include "core/base/error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attest {

double relative_risk(const Matrix& P, const Moments& moments) {
    const double slope = 2.0 * P.cwiseProduct(moments.cross).sum();
    const double curvature = P.cwiseProduct(moments.Lambda * P).sum();
    const double rounding = static_cast<double>(P.rows()) * std::numeric_limits<double>::epsilon() *
                            std::max({moments.label_power, std::abs(slope), curvature});
    const double risk = moments.label_power - slope + curvature;
    return (risk < 0.0 && risk > -rounding ? 0.0 : risk) / moments.label_power;
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

#include "core/heads/fit_target.hpp"

#include "core/algebra/lapack.hpp"
#include "core/base/bitwise.hpp"
#include "core/features/coefficients.hpp"
#include "core/features/gauge.hpp"
#include "core/heads/isometric.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attest {

namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

}  // namespace

FitTarget frobenius_target(const Matrix& P, Index d) {
    require(d >= 1 && P.rows() == feature_dim(d),
            "frobenius_target: P has {} rows, expected {}",
            P.rows(),
            feature_dim(d));
    require(P.allFinite(), "frobenius_target: P holds a NaN or an infinity");
    const Matrix p = isometric(P, d);
    const double scale = p.norm();
    require(std::isfinite(scale) && (scale > 0.0 || P.isZero(0.0)),
            "frobenius_target: the squares of P overflow or vanish; scale P first");
    return {d, P.cols(), P, Matrix(), p, scale};
}

FitTarget weighted_target(const Matrix& P, Index d, const Matrix& R) {
    FitTarget target = frobenius_target(P, d);
    require(R.cols() == P.rows(),
            "weighted_target: the factor has {} columns, expected {}",
            R.cols(),
            P.rows());
    require(R.allFinite(), "weighted_target: the factor holds a NaN or an infinity");
    const Svd decomposition = svd(R * norm_weights(d, Norm::sym).cwiseInverse().asDiagonal());
    const Vector& sigma = decomposition.sigma;
    const double largest = sigma.size() > 0 ? sigma(0) : 0.0;
    const double threshold = static_cast<double>(std::max(R.rows(), R.cols())) * kEpsilon * largest;
    const Index rank = (sigma.array() > threshold).count();
    require(rank >= 1, "weighted_target: the second moment is zero");
    target.L = sigma.head(rank).asDiagonal() * decomposition.V.leftCols(rank).transpose();
    target.goal = target.L * target.goal;
    target.scale = target.goal.norm();
    return target;
}

double relative_residual(const FitTarget& target, const Matrix& P) {
    require(P.rows() == target.P.rows() && P.cols() == target.P.cols(),
            "relative_residual: the coefficients do not have the target's shape");
    const Matrix p = isometric(P - target.P, target.d);
    const double error = target.L.size() > 0 ? (target.L * p).norm() : p.norm();
    if (is_zero(target.scale)) {
        return is_zero(error) ? 0.0 : std::numeric_limits<double>::infinity();
    }
    return error / target.scale;
}

double relative_residual(const FitTarget& target, const Parameters& heads) {
    return relative_residual(target, coefficients(heads));
}

}  // namespace attest

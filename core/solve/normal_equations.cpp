#include "core/solve/normal_equations.hpp"

#include "core/algebra/lapack.hpp"
#include "core/solve/accuracy.hpp"

#include <cmath>
#include <limits>
#include <utility>

namespace attest {

LeastSquaresFit fit_normal_equations(const Moments& moments, Index d, const SolveOptions& options) {
    const Index psi = feature_dim(d);
    const Vector weights = norm_weights(d, options.norm);
    const Vector inverse = weights.cwiseInverse();
    Matrix A = inverse.asDiagonal() * moments.Lambda * inverse.asDiagonal();
    A.diagonal().array() += options.ridge;
    const CholeskyFactor factor = cholesky(A);
    if (factor.rcond < static_cast<double>(psi) * std::numeric_limits<double>::epsilon()) {
        return refusal("normal",
                       concat("the second moment is numerically singular, 1/cond = ",
                              round_trip(factor.rcond)));
    }
    LeastSquaresFit fit;
    fit.solver = "normal";
    fit.rcond = std::sqrt(factor.rcond);
    const Matrix rhs = inverse.asDiagonal() * moments.cross;
    fit.P = inverse.asDiagonal() * cholesky_solve(factor, rhs);
    fit.status = SolveStatus::unique;
    fit.rank = options.ridge > 0.0 ? -1 : psi;
    // The sums Σ H yᵀ are off by roundings of the labels, however small P is beside them.
    const double size = (weights.asDiagonal() * fit.P).norm();
    const double longest = std::sqrt(A.diagonal().maxCoeff());
    const double share = residual_share(std::sqrt(moments.label_power), longest, size);
    return with_error_bound(std::move(fit),
                            (1.0 + share) * normal_equations_error(psi, 1.0 / fit.rcond));
}

}  // namespace attest

#include "core/solve/normal_equations.hpp"

#include "core/algebra/lapack.hpp"

#include <limits>

namespace attest {

LeastSquaresFit fit_normal_equations(const Moments& moments, Index d, const SolveOptions& options) {
    const Index psi = feature_dim(d);
    LeastSquaresFit fit;
    fit.solver = "normal";
    fit.rank = -1;
    const Vector weights = norm_weights(d, options.norm);
    const Vector inverse = weights.cwiseInverse();
    Matrix A = inverse.asDiagonal() * moments.Lambda * inverse.asDiagonal();
    A.diagonal().array() += options.ridge;
    const CholeskyFactor factor = cholesky(A);
    fit.rcond = factor.rcond;
    if (factor.rcond < static_cast<double>(psi) * std::numeric_limits<double>::epsilon()) {
        fit.note = concat("the second moment is numerically singular, 1/cond = ",
                          round_trip(factor.rcond));
        return fit;
    }
    const Matrix rhs = inverse.asDiagonal() * moments.cross;
    fit.P = inverse.asDiagonal() * cholesky_solve(factor, rhs);
    fit.status = SolveStatus::unique;
    fit.rank = psi;
    return fit;
}

}  // namespace attest

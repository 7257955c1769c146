#include "core/solve/orthogonal.hpp"

#include "core/algebra/lapack.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attest {

namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

/// R in the coordinates in which the chosen norm is Euclidean: p̃ = w p, so column j is divided by
/// w_j.
Matrix scaled_factor(const TriangularFactor& factor, const Vector& weights) {
    return factor.R * weights.cwiseInverse().asDiagonal();
}

/// The ridge problem as least squares: √R·I below the factor and zeros below the labels.
TriangularFactor with_ridge(const Matrix& R, const Matrix& C, double ridge) {
    const Index psi = R.cols();
    Matrix top(R.rows(), psi + C.cols());
    top << R, C;
    Matrix below = Matrix::Zero(psi, psi + C.cols());
    below.leftCols(psi).diagonal().setConstant(std::sqrt(ridge));
    const Matrix stacked = stack_qr(top, below);
    TriangularFactor result;
    result.R = stacked.topLeftCorner(psi, psi);
    result.C = stacked.topRightCorner(psi, C.cols());
    return result;
}

}  // namespace

LeastSquaresFit fit_qr(const TriangularFactor& factor, Index d, const SolveOptions& options) {
    const Index psi = feature_dim(d);
    LeastSquaresFit fit;
    fit.solver = "qr";
    fit.rank = -1;
    const Vector weights = norm_weights(d, options.norm);
    TriangularFactor scaled = factor;
    scaled.R = scaled_factor(factor, weights);
    if (options.ridge > 0.0) {
        scaled = with_ridge(scaled.R, factor.C, options.ridge);
    } else if (factor.num_examples < psi) {
        fit.note = concat("N = ", factor.num_examples, " < psi = ", psi, ": no unique solution");
        return fit;
    }
    fit.rcond = triangular_rcond(scaled.R);
    if (fit.rcond < static_cast<double>(psi) * kEpsilon) {
        fit.note = concat("numerically rank deficient, 1/cond = ", round_trip(fit.rcond));
        return fit;
    }
    fit.status = SolveStatus::unique;
    fit.rank = psi;
    fit.P = weights.cwiseInverse().asDiagonal() * solve_upper(scaled.R, scaled.C);
    return fit;
}

LeastSquaresFit fit_svd(const TriangularFactor& factor, Index d, const SolveOptions& options) {
    const Index psi = feature_dim(d);
    const Vector weights = norm_weights(d, options.norm);
    const Svd decomposition = svd(scaled_factor(factor, weights));
    const Vector& sigma = decomposition.sigma;
    const double largest = sigma.size() > 0 ? sigma(0) : 0.0;
    const double threshold =
        static_cast<double>(std::max(factor.num_examples, psi)) * kEpsilon * largest;
    LeastSquaresFit fit;
    fit.solver = "svd";
    fit.rank = (sigma.array() > threshold).count();
    Vector inverse = Vector::Zero(sigma.size());
    for (Index i = 0; i < sigma.size(); ++i) {
        if (options.ridge > 0.0) {
            inverse(i) = sigma(i) / (sigma(i) * sigma(i) + options.ridge);
        } else if (i < fit.rank) {
            inverse(i) = 1.0 / sigma(i);
        }
    }
    const Matrix projected = inverse.asDiagonal() * (decomposition.U.transpose() * factor.C);
    fit.P = weights.cwiseInverse().asDiagonal() * (decomposition.V * projected);
    const bool unique = options.ridge > 0.0 || fit.rank == psi;
    fit.status = unique ? SolveStatus::unique : SolveStatus::minimum_norm;
    fit.rcond = fit.rank > 0 ? sigma(fit.rank - 1) / largest : 0.0;
    if (!unique) {
        fit.note = concat("rank ", fit.rank, " of ", psi, ": the minimiser of least norm");
    }
    return fit;
}

}  // namespace attest

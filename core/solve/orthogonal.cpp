#include "core/solve/orthogonal.hpp"

#include "core/algebra/lapack.hpp"
#include "core/solve/accuracy.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace attest {

namespace {

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

/// 1/κ of the first `kept` singular values of R, or of [R; √ridge·I]. Where N < ψ the solution lies
/// in the row space, on which the least singular value is the N-th.
double inverse_condition(const Vector& sigma, Index kept, double ridge) {
    if (kept == 0 || !(sigma(0) > 0.0)) {
        return 0.0;
    }
    const double root = std::sqrt(ridge);
    return std::hypot(sigma(kept - 1), root) / std::hypot(sigma(0), root);
}

/// κ and ρ of a solve with the factor R, which holds √ridge·I where there is a ridge.
Conditioning conditioning(const TriangularFactor& factor,
                          const Matrix& R,
                          const LeastSquaresFit& fit,
                          const Vector& weights,
                          const SolveOptions& options) {
    const double size = (weights.asDiagonal() * fit.P).norm();
    const double inside = (factor.R * fit.P - factor.C).squaredNorm();
    const double residual = std::sqrt(factor.residual + inside + options.ridge * size * size);
    const double longest = std::sqrt(R.colwise().squaredNorm().maxCoeff());
    return {1.0 / fit.rcond, residual_share(residual, longest, size)};
}

}  // namespace

LeastSquaresFit fit_qr(const TriangularFactor& factor,
                       const FeatureLayout& layout,
                       const SolveOptions& options) {
    const Index psi = layout.psi();
    const Vector weights = norm_weights(layout, options.norm);
    TriangularFactor scaled = factor;
    scaled.R = scaled_factor(factor, weights);
    if (options.ridge > 0.0) {
        scaled = with_ridge(scaled.R, factor.C, options.ridge);
    } else if (factor.num_examples < psi) {
        return refusal(
            "tsqr", formatted("N = {} < psi = {}: no unique solution", factor.num_examples, psi));
    }
    LeastSquaresFit fit;
    fit.solver = "tsqr";
    fit.rcond = triangular_rcond(scaled.R);
    if (fit.rcond < static_cast<double>(psi) * kEpsilon) {
        return refusal("tsqr",
                       formatted("numerically rank deficient, 1/cond = {}", round_trip(fit.rcond)));
    }
    fit.status = SolveStatus::unique;
    fit.rank = options.ridge > 0.0 ? -1 : psi;
    fit.P = weights.cwiseInverse().asDiagonal() * solve_upper(scaled.R, scaled.C);
    const double bound =
        backward_stable_error(psi, conditioning(factor, scaled.R, fit, weights, options));
    return with_error_bound(std::move(fit), bound);
}

LeastSquaresFit fit_svd(const TriangularFactor& factor,
                        const FeatureLayout& layout,
                        const SolveOptions& options) {
    const Index psi = layout.psi();
    const Vector weights = norm_weights(layout, options.norm);
    const Svd decomposition = svd(scaled_factor(factor, weights));
    const Vector& sigma = decomposition.sigma;
    const double largest = sigma.size() > 0 ? sigma(0) : 0.0;
    const double threshold =
        static_cast<double>(std::max(factor.num_examples, psi)) * kEpsilon * largest;
    LeastSquaresFit fit;
    fit.solver = "svd";
    fit.rank = (sigma.array() > threshold).count();
    // The solution lies in the row space, on which the last singular value is the least.
    const double smallest = sigma.size() > 0 ? sigma(sigma.size() - 1) : 0.0;
    const double augmented = std::hypot(smallest, std::sqrt(options.ridge));
    const bool cut = augmented <= threshold;
    const Index kept = cut ? fit.rank : sigma.size();
    Vector inverse = Vector::Zero(sigma.size());
    for (Index i = 0; i < kept; ++i) {
        inverse(i) = 1.0 / (sigma(i) + options.ridge / sigma(i));
    }
    const Matrix projected = inverse.asDiagonal() * (decomposition.U.transpose() * factor.C);
    fit.P = weights.cwiseInverse().asDiagonal() * (decomposition.V * projected);
    fit.status = options.ridge > 0.0 && !cut ? SolveStatus::unique
                                             : status_of_rank(fit.rank, factor.num_examples, psi);
    fit.rcond = inverse_condition(sigma, kept, options.ridge);
    if (fit.rank > 0) {
        fit.error_bound = backward_stable_error(
            psi, conditioning(factor, scaled_factor(factor, weights), fit, weights, options));
    }
    if (fit.status != SolveStatus::unique) {
        fit.note = rank_note(fit.status, fit.rank, psi);
    }
    return fit;
}

}  // namespace attest

#include "core/solve/other_minimisers.hpp"

#include "core/algebra/lapack.hpp"
#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/rng/sample.hpp"
#include "core/solve/orthogonal.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attest {

Matrix gradient_descent(const TriangularFactor& factor,
                        const Matrix& P0,
                        const GradientDescentOptions& options) {
    require(P0.rows() == factor.R.cols() && P0.cols() == factor.C.cols(),
            "gradient_descent: P0 is {}x{}, expected {}x{}",
            P0.rows(),
            P0.cols(),
            factor.R.cols(),
            factor.C.cols());
    require(options.steps >= 0, "gradient_descent: the number of steps is negative");
    const Svd decomposition = svd(factor.R);
    const Vector& sigma = decomposition.sigma;
    const double largest = sigma.size() > 0 ? sigma(0) : 0.0;
    if (!(largest > 0.0)) {
        return P0;
    }
    // With t = σ²/σ_max² the first-order error factor is (1 − t)^steps; along a singular vector the
    // iterate moves from ⟨v, P0⟩ towards ⟨u, C⟩/σ by the remaining share. expm1/log1p keep that
    // share accurate where t is tiny.
    const auto steps = static_cast<double>(options.steps);
    const double floor = std::numeric_limits<double>::epsilon() * largest;
    const Matrix start = decomposition.V.transpose() * P0;
    const Matrix target = decomposition.U.transpose() * factor.C;
    Matrix move = Matrix::Zero(start.rows(), start.cols());
    for (Index i = 0; i < sigma.size(); ++i) {
        if (sigma(i) > floor) {
            const double t = (sigma(i) / largest) * (sigma(i) / largest);
            const double share = t < 1.0 ? -std::expm1(steps * std::log1p(-t)) : 1.0;
            const double reached = options.steps == 0 ? 0.0 : share;
            move.row(i) = reached * (target.row(i) / sigma(i) - start.row(i));
        }
    }
    return P0 + decomposition.V * move;
}

LeastSquaresFit fit_random_erm(const TriangularFactor& factor,
                               const FeatureLayout& layout,
                               const SolveOptions& options,
                               double scale,
                               const Stream& stream) {
    require(!(options.ridge > 0.0), "fit_random_erm: a ridge problem has only one minimiser");
    LeastSquaresFit fit = fit_svd(factor, layout, options);
    fit.solver = "random_erm";
    const Index psi = layout.psi();
    if (fit.rank == psi) {
        return fit;
    }
    const Vector inverse = norm_weights(layout, options.norm).cwiseInverse();
    // The full right factor is needed, so R is padded to ψ rows: zero rows change no right singular
    // space.
    Matrix padded = Matrix::Zero(psi, psi);
    padded.topRows(factor.R.rows()) = factor.R * inverse.asDiagonal();
    const Matrix basis = svd(padded).V.rightCols(psi - fit.rank);
    const Index outputs = factor.C.cols();
    const Matrix G = scale * grid_matrix(grid_normal(), basis.cols(), outputs, stream);
    fit.P += inverse.asDiagonal() * (basis * G);
    fit.note = formatted("rank {} of {}: least norm plus a random null part", fit.rank, psi);
    return fit;
}

}  // namespace attest

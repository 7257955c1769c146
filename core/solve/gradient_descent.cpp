#include "core/solve/gradient_descent.hpp"

#include "core/algebra/lapack.hpp"
#include "core/base/error.hpp"
#include "core/base/text.hpp"

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

}  // namespace attest

#include "core/solve/gram_departure.hpp"

#include "core/moments/moment_sums.hpp"
#include "core/rng/sample.hpp"
#include "core/solve/iterative.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attest {

namespace {

/// ‖M⁻¹‖₂ by the power method from a random vector, divided by one less the relative error that it
/// has in the mean after k steps at most, 0.871 ln ψ/(k − 1) (Kuczyński & Woźniakowski 1992).
template <class Scalar>
double inverse_norm2(const FactoredMatrixOf<Scalar>& M) {
    constexpr int kSteps = 14;
    const Stream stream = Stream(20241014).child("gram").child("power");  // always the same
    const MatrixOf<double> start = grid_matrix(grid_normal(), M.n, 1, stream);
    MatrixOf<Scalar> x = start.template cast<Scalar>();
    double found = 0.0;
    for (int step = 0; step < kSteps; ++step) {
        x /= x.norm();
        const MatrixOf<Scalar> y = M.solve(x);
        found = static_cast<double>(x.col(0).dot(y.col(0)));
        x = y;
    }
    const double missed = 0.871 * std::log(static_cast<double>(M.n)) / (kSteps - 1);
    return missed < 1.0 ? found / (1.0 - missed) : std::numeric_limits<double>::infinity();
}

}  // namespace

template <class Scalar>
double gram_departure(const FactoredMatrixOf<Scalar>& M, const SourceShape& shape) {
    constexpr double kUnit = static_cast<double>(std::numeric_limits<Scalar>::epsilon()) / 2.0;
    const double roundings = std::sqrt(static_cast<double>(moment_sums_operations(shape))) +
                             std::sqrt(static_cast<double>(shape.psi() + 1));
    const double share = roundings * kUnit * M.trace;
    const double quick = share / (M.norm1 * M.rcond);
    // ‖M⁻¹‖₁ is up to √ψ times too large, and to measure the spread takes as long as to solve.
    return quick < kKnownDeparture ? quick : std::min(quick, share * inverse_norm2(M));
}

template <class Scalar>
Matrix solve_in(const FactoredMatrixOf<Scalar>& M, const Matrix& G) {
    const double size = G.cwiseAbs().maxCoeff();
    if (!(size > 0.0)) {
        return Matrix::Zero(G.rows(), G.cols());
    }
    const MatrixOf<Scalar> scaled = (G / size).template cast<Scalar>();
    return M.solve(scaled).template cast<double>() * size;
}

template double gram_departure(const FactoredMatrixOf<double>&, const SourceShape&);
template double gram_departure(const FactoredMatrixOf<float>&, const SourceShape&);
template Matrix solve_in(const FactoredMatrixOf<double>&, const Matrix&);
template Matrix solve_in(const FactoredMatrixOf<float>&, const Matrix&);

}  // namespace attest

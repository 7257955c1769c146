#include "core/solve/accuracy.hpp"

#include "core/algebra/residual_ratio.hpp"
#include "core/moments/moment_sums.hpp"
#include "core/rng/sample.hpp"
#include "core/solve/iterative.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attest {

namespace {

double unit_error(Index psi) {
    return kRatioBound * std::sqrt(static_cast<double>(psi)) * gamma_bound(1);
}

/// An error as a share of the exact solution, from its share of the computed one.
double of_exact(double share) {
    return share < 1.0 ? share / (1.0 - share) : std::numeric_limits<double>::infinity();
}

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

/// Always the same numbers: a solver is a function of its data.
Matrix probe(std::string_view name, Index rows, Index cols) {
    return grid_matrix(grid_normal(), rows, cols, Stream(20241014).child("spread").child(name));
}

/// ‖M^{-1/2}∇‖ over that of labels of norm 1 in a single direction: what is left of it hides
/// eigenvalues below N times its square, 1e-24, which (ii) does not reach either.
bool converged(const ConjugateGradientResult& result, Index num_examples) {
    return result.gradient * std::sqrt(static_cast<double>(num_examples)) < 1e-12;
}

}  // namespace

double backward_stable_error(Index psi, const Conditioning& conditioning) {
    const double kappa = conditioning.condition;
    const double unit = unit_error(psi) + conditioning.input * gamma_bound(1);
    return of_exact(unit * kappa * (1.0 + kappa * conditioning.residual));
}

double normal_equations_error(Index psi, const Conditioning& conditioning) {
    const double kappa = conditioning.condition;
    return of_exact(unit_error(psi) * kappa * kappa * (1.0 + conditioning.residual));
}

double residual_share(double residual_norm, double feature_norm, double P_norm) {
    if (!(residual_norm > 0.0)) {
        return 0.0;
    }
    const double scale = feature_norm * P_norm;
    return scale > 0.0 ? residual_norm / scale : std::numeric_limits<double>::infinity();
}

LeastSquaresFit with_error_bound(LeastSquaresFit fit, double error_bound) {
    fit.error_bound = error_bound;
    if (error_bound < kLargestError) {
        return fit;
    }
    return refusal(fit.solver,
                   formatted("no digit is assured: 1/cond = {}, {}",
                             round_trip(fit.rcond),
                             std::isfinite(error_bound) ? "error bound " + round_trip(error_bound)
                                                        : "no bound on the error"));
}

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

HiddenSpread measured_spread(const LeastSquaresProblem& problem,
                             const std::function<Matrix(const Matrix&)>& precondition,
                             const ConjugateGradientOptions& options) {
    constexpr Index kKnown = 2;
    const FeatureMap& features = problem.features;
    const Index N = features.shape().num_examples;
    const Matrix r = probe("labels", 1, N);
    const Matrix share = r.middleCols(features.first_example(), problem.labels.cols()) / r.norm();
    LeastSquaresProblem noise{features, share, problem.ridge, problem.weights, {}};
    if (problem.ridge > 0.0) {
        // The ridge is ψ more examples, √ridge·W: their labels are as random.
        noise.centre = problem.weights.cwiseInverse().asDiagonal() *
                       probe("ridge", problem.weights.size(), 1) /
                       (std::sqrt(problem.ridge) * r.norm());
    }
    const ConjugateGradientResult ends = conjugate_gradient(noise, precondition, options);
    if (!converged(ends, N)) {
        return {};
    }
    Matrix truth = probe("known", problem.weights.size(), kKnown);
    Matrix labels = features.apply(truth);
    // To one size, for the iteration stops by the sum over the columns.
    const Vector shrink = features.square_sums(labels).cwiseSqrt().cwiseInverse();
    labels = shrink.asDiagonal() * labels;
    truth = truth * shrink.asDiagonal();
    const LeastSquaresProblem known{features, labels, problem.ridge, problem.weights, {}, truth};
    const Matrix missed = conjugate_gradient(known, precondition, options).P - truth;
    const Vector relative = missed.colwise().norm().cwiseQuotient(truth.colwise().norm());
    return {ends.smallest, ends.largest, relative.maxCoeff<Eigen::PropagateNaN>()};
}

}  // namespace attest

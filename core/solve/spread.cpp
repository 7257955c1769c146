#include "core/solve/spread.hpp"

#include "core/rng/sample.hpp"

#include <cmath>

namespace attest {

namespace {

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

#include "core/algebra/minimum_eigenvalue.hpp"

#include "core/base/error.hpp"
#include "core/base/stop_scope.hpp"

#include <Spectra/SymEigsSolver.h>

#include <algorithm>
#include <cmath>

namespace attest {

namespace {

/// y = A⁻¹ x in the form Spectra asks for.
class InverseOperator {
public:
    using Scalar = double;

    InverseOperator(Index n, const std::function<Matrix(const Matrix&)>& solve)
        : n_(n), solve_(solve) {}

    [[nodiscard]] Index rows() const { return n_; }

    [[nodiscard]] Index cols() const { return n_; }

    void perform_op(const double* x, double* y) const {
        throw_if_stopped("minimum_eigenvalue");
        const Matrix X = Eigen::Map<const Vector>(x, n_);
        Eigen::Map<Vector>(y, n_) = solve_(X);
    }

private:
    Index n_;
    const std::function<Matrix(const Matrix&)>& solve_;
};

}  // namespace

EigenvalueEstimate minimum_eigenvalue(const PackedCholeskyOf<double>& factor) {
    require(factor.positive, "minimum_eigenvalue: the matrix is not positive definite");
    require(factor.n >= 1, "minimum_eigenvalue: the matrix is empty");
    return minimum_eigenvalue(factor.n, [&factor](const Matrix& B) { return factor.solve(B); });
}

EigenvalueEstimate minimum_eigenvalue(Index n, const std::function<Matrix(const Matrix&)>& solve) {
    constexpr Index kSubspace = 20;
    constexpr Index kRestarts = 300;
    constexpr double kTolerance = 1e-12;
    if (n <= 2) {
        // Too small for a subspace: from the inverse itself.
        const Matrix inverse = solve(Matrix::Identity(n, n));
        const double half = n == 1 ? 0.0 : 0.5 * (inverse(0, 0) - inverse(1, 1));
        const double mean = n == 1 ? inverse(0, 0) : 0.5 * inverse.trace();
        const double off = n == 1 ? 0.0 : inverse(1, 0);
        return {1.0 / (mean + std::hypot(half, off)), 0.0, 0, true};
    }
    InverseOperator inverse(n, solve);
    Spectra::SymEigsSolver<InverseOperator> solver(inverse, 1, std::min<Index>(kSubspace, n));
    solver.init();
    const Index found = solver.compute(Spectra::SortRule::LargestAlge, kRestarts, kTolerance);
    EigenvalueEstimate estimate;
    estimate.iterations = solver.num_iterations();
    if (found < 1) {
        return estimate;
    }
    const double largest = solver.eigenvalues()(0);
    const Vector v = solver.eigenvectors().col(0);
    const double residual = (solve(v) - largest * v).norm() / v.norm();
    estimate.value = 1.0 / largest;
    estimate.converged = residual < largest;
    estimate.error = estimate.converged ? 1.0 / (largest - residual) - estimate.value : 0.0;
    return estimate;
}

}  // namespace attest

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

    explicit InverseOperator(const PackedCholeskyOf<double>& factor) : factor_(factor) {}

    [[nodiscard]] Index rows() const { return factor_.n; }

    [[nodiscard]] Index cols() const { return factor_.n; }

    void perform_op(const double* x, double* y) const {
        throw_if_stopped("minimum_eigenvalue");
        const Matrix X = Eigen::Map<const Vector>(x, factor_.n);
        Eigen::Map<Vector>(y, factor_.n) = factor_.solve(X);
    }

private:
    const PackedCholeskyOf<double>& factor_;
};

}  // namespace

EigenvalueEstimate minimum_eigenvalue(const PackedCholeskyOf<double>& factor) {
    require(factor.positive, "minimum_eigenvalue: the matrix is not positive definite");
    require(factor.n >= 1, "minimum_eigenvalue: the matrix is empty");
    constexpr Index kSubspace = 20;
    constexpr Index kRestarts = 300;
    constexpr double kTolerance = 1e-12;
    if (factor.n <= 2) {
        // Too small for a subspace: from the inverse itself.
        const Matrix inverse = factor.solve(Matrix::Identity(factor.n, factor.n));
        const double half = factor.n == 1 ? 0.0 : 0.5 * (inverse(0, 0) - inverse(1, 1));
        const double mean = factor.n == 1 ? inverse(0, 0) : 0.5 * inverse.trace();
        const double off = factor.n == 1 ? 0.0 : inverse(1, 0);
        return {1.0 / (mean + std::hypot(half, off)), 0.0, 0, true};
    }
    InverseOperator inverse(factor);
    Spectra::SymEigsSolver<InverseOperator> solver(
        inverse, 1, std::min<Index>(kSubspace, factor.n));
    solver.init();
    const Index found = solver.compute(Spectra::SortRule::LargestAlge, kRestarts, kTolerance);
    EigenvalueEstimate estimate;
    estimate.iterations = solver.num_iterations();
    if (found < 1) {
        return estimate;
    }
    const double largest = solver.eigenvalues()(0);
    const Vector v = solver.eigenvectors().col(0);
    const double residual = (factor.solve(v) - largest * v).norm() / v.norm();
    estimate.value = 1.0 / largest;
    estimate.converged = residual < largest;
    estimate.error = estimate.converged ? 1.0 / (largest - residual) - estimate.value : 0.0;
    return estimate;
}

}  // namespace attest

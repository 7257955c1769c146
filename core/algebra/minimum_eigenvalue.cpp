#include "core/algebra/minimum_eigenvalue.hpp"

#include "core/algebra/lapack.hpp"
#include "core/base/error.hpp"
#include "core/base/interrupt.hpp"
#include "core/base/progress_scope.hpp"

#include <Spectra/SymEigsSolver.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace attest {

namespace {

/// y = A x in the form Spectra asks for.
class ProductOperator {
public:
    using Scalar = double;

    ProductOperator(Index n, const std::function<Vector(const Vector&)>& product)
        : n_(n), product_(product) {}

    [[nodiscard]] Index rows() const { return n_; }

    [[nodiscard]] Index cols() const { return n_; }

    void perform_op(const double* x, double* y) const {
        throw_if_stopped("eigenvalue");
        Eigen::Map<Vector>(y, n_) = product_(Eigen::Map<const Vector>(x, n_));
    }

private:
    Index n_;
    const std::function<Vector(const Vector&)>& product_;
};

/// A vector with its product, which follows it through linear combinations.
struct Direction {
    Vector x;
    Vector Ax;

    /// Without its part along another one of norm 1.
    void take_away(const Direction& other) {
        const double along = other.x.dot(x);
        x -= along * other.x;
        Ax -= along * other.Ax;
    }

    /// To norm 1; false where nothing but rounding is left of what had norm `before`.
    [[nodiscard]] bool normalise(double before) {
        constexpr double kLost = 1e-12;
        const double norm = x.norm();
        if (!(norm > kLost * before)) {
            return false;
        }
        x /= norm;
        Ax /= norm;
        return true;
    }
};

/// Twice, for once leaves rounding of what it took away.
bool make_orthonormal(Direction& v, const std::vector<const Direction*>& to) {
    const double before = v.x.norm();
    for (int pass = 0; pass < 2; ++pass) {
        for (const Direction* other : to) {
            v.take_away(*other);
        }
    }
    return v.normalise(before);
}

/// v without its part along a vector of norm 1; twice, as above.
Vector across(Vector v, const Vector& unit) {
    v -= unit.dot(v) * unit;
    v -= unit.dot(v) * unit;
    return v;
}

Direction combined(const std::vector<const Direction*>& basis,
                   const Vector& weights,
                   std::size_t first) {
    Direction sum{Vector::Zero(basis[0]->x.size()), Vector::Zero(basis[0]->x.size())};
    for (std::size_t k = first; k < basis.size(); ++k) {
        sum.x += weights(static_cast<Index>(k)) * basis[k]->x;
        sum.Ax += weights(static_cast<Index>(k)) * basis[k]->Ax;
    }
    return sum;
}

/// Of the Rayleigh quotient on the span of an orthonormal basis, the minimiser's weights.
Vector rayleigh_ritz(const std::vector<const Direction*>& basis) {
    const auto k = std::ssize(basis);
    Matrix G(k, k);
    for (Index a = 0; a < k; ++a) {
        for (Index b = 0; b < k; ++b) {
            G(a, b) =
                basis[static_cast<std::size_t>(a)]->x.dot(basis[static_cast<std::size_t>(b)]->Ax);
        }
    }
    return symmetric_eigen(0.5 * (G + G.transpose())).vectors.col(0);
}

}  // namespace

EigenvalueEstimate minimum_eigenvalue(const PackedCholeskyOf<double>& factor) {
    require(factor.positive, "minimum_eigenvalue: the matrix is not positive definite");
    require(factor.n >= 1, "minimum_eigenvalue: the matrix is empty");
    return minimum_eigenvalue(factor.n,
                              [&factor](const Vector& b) -> Vector { return factor.solve(b); });
}

EigenvalueEstimate maximum_eigenvalue(Index n,
                                      const std::function<Vector(const Vector&)>& product) {
    constexpr Index kSubspace = 20;
    constexpr Index kRestarts = 300;
    constexpr double kTolerance = 1e-12;
    if (n <= 2) {
        // Too small for a subspace: from the matrix itself.
        Matrix A(n, n);
        for (Index j = 0; j < n; ++j) {
            A.col(j) = product(Vector::Unit(n, j));
        }
        const double half = n == 1 ? 0.0 : 0.5 * (A(0, 0) - A(1, 1));
        const double mean = n == 1 ? A(0, 0) : 0.5 * A.trace();
        const double off = n == 1 ? 0.0 : A(1, 0);
        return {mean + std::hypot(half, off), 0.0, 0, true};
    }
    ProductOperator A(n, product);
    Spectra::SymEigsSolver<ProductOperator> solver(A, 1, std::min<Index>(kSubspace, n));
    solver.init();
    const Index found = solver.compute(Spectra::SortRule::LargestAlge, kRestarts, kTolerance);
    EigenvalueEstimate estimate;
    estimate.iterations = solver.num_iterations();
    if (found < 1) {
        return estimate;
    }
    estimate.value = solver.eigenvalues()(0);
    const Vector v = solver.eigenvectors().col(0);
    estimate.error = (product(v) - estimate.value * v).norm() / v.norm();
    estimate.converged = estimate.error < estimate.value;
    return estimate;
}

EigenvalueEstimate minimum_eigenvalue(Index n, const std::function<Vector(const Vector&)>& solve) {
    const EigenvalueEstimate of_inverse = maximum_eigenvalue(n, solve);
    EigenvalueEstimate estimate;
    estimate.iterations = of_inverse.iterations;
    estimate.converged = of_inverse.converged;
    if (of_inverse.value > 0.0) {
        estimate.value = 1.0 / of_inverse.value;
    }
    if (estimate.converged) {
        estimate.error = 1.0 / (of_inverse.value - of_inverse.error) - estimate.value;
    }
    return estimate;
}

EigenvalueEstimate minimum_eigenvalue_by_products(
    const Vector& start,
    const std::function<Vector(const Vector&)>& product,
    const std::function<Vector(const Vector&)>& precondition,
    const EigenvalueSearch& search) {
    require(start.norm() > 0.0, "minimum_eigenvalue_by_products: the start is zero");
    constexpr Index kRefresh = 16;  // iterations in which combined products drift but little
    Direction x{start.normalized(), {}};
    x.Ax = product(x.x);
    Direction last;
    EigenvalueEstimate found;
    double halved = 0.0;
    Index waited = 0;
    while (true) {
        throw_if_stopped("minimum_eigenvalue_by_products");
        note_progress("lambda_min", found.iterations, search.max_iterations);
        found.value = x.x.dot(x.Ax);
        const Vector residual = x.Ax - found.value * x.x;
        found.error = residual.norm();
        found.converged =
            found.error <= std::max(search.tolerance * std::abs(found.value), search.resolution);
        waited = found.iterations == 0 || found.error <= 0.5 * halved ? 0 : waited + 1;
        halved = waited == 0 ? found.error : halved;
        if (found.converged || waited > search.patience ||
            found.iterations >= search.max_iterations) {
            return found;
        }
        const Vector ahead = across(precondition(residual), x.x);
        if (!(ahead.norm() > 0.0)) {
            return found;
        }
        Direction w{ahead.normalized(), {}};
        w.Ax = product(w.x);  // of what is left: that of the whole would cancel
        std::vector<const Direction*> basis{&x, &w};
        if (last.x.size() > 0 && make_orthonormal(last, basis)) {
            basis.push_back(&last);
        }
        const Vector weights = rayleigh_ritz(basis);
        Direction step = combined(basis, weights, 1);
        Direction next = combined(basis, weights, 0);
        x = std::move(next);
        last = std::move(step);
        ++found.iterations;
        if (found.iterations % kRefresh == 0) {
            x.x.normalize();
            x.Ax = product(x.x);
        }
    }
}

}  // namespace attest

#pragma once

#include "core/algebra/packed_cholesky.hpp"

#include <functional>
#include <limits>

namespace attest {

/// An eigenvalue seen in floating point, and how far off the iteration may have left it.
struct EigenvalueEstimate {
    double value = 0.0;
    double error = std::numeric_limits<double>::infinity();  ///< an eigenvalue lies within this of
                                                             ///< `value`, up to rounding
    Index iterations = 0;                                    ///< restarts of the Lanczos process
    bool converged = false;
};

/// Smallest eigenvalue of A = L Lᵀ without the others: Lanczos on A⁻¹ (Spectra, implicitly
/// restarted), two triangular solves of 2n² flops each step. `error` is the residual of the
/// eigenvector of A⁻¹ turned into a distance. Rounding adds about n·u·‖A‖: below that the value
/// says nothing. Throws InvalidInput unless the factor is positive.
[[nodiscard]] EigenvalueEstimate minimum_eigenvalue(const PackedCholeskyOf<double>& factor);

/// The same of a positive definite n×n matrix known by solve(b) = A⁻¹ b, n ≥ 1.
[[nodiscard]] EigenvalueEstimate minimum_eigenvalue(
    Index n, const std::function<Vector(const Vector&)>& solve);

/// Largest eigenvalue of a symmetric positive semidefinite n×n matrix known by product(x) = A x,
/// n ≥ 1, by the same process; `error` is the residual.
[[nodiscard]] EigenvalueEstimate maximum_eigenvalue(
    Index n, const std::function<Vector(const Vector&)>& product);

struct EigenvalueSearch {
    double tolerance = 1e-6;      ///< residual over the eigenvalue
    double resolution = 0.0;      ///< a residual that small will do as well
    Index max_iterations = 1000;  ///< of one product each
    Index patience = 100;         ///< iterations in which the residual must halve at least once
};

/// Smallest eigenvalue of a symmetric matrix A known by x ↦ A x alone, by locally optimal
/// preconditioned conjugate gradients (Knyazev 2001) from `start`, which is not zero;
/// `precondition` is near A⁻¹, or the identity. `value` is a Rayleigh quotient, so at least the
/// eigenvalue up to rounding, and `error` the norm of the residual: an eigenvalue lies within it of
/// `value`, not necessarily the least. Six vectors beside the products'.
[[nodiscard]] EigenvalueEstimate minimum_eigenvalue_by_products(
    const Vector& start,
    const std::function<Vector(const Vector&)>& product,
    const std::function<Vector(const Vector&)>& precondition,
    const EigenvalueSearch& search);

}  // namespace attest

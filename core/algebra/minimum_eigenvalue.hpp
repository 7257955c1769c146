#pragma once

#include "core/algebra/packed_cholesky.hpp"

#include <functional>

namespace attest {

/// An eigenvalue seen in floating point, and how far off the iteration may have left it.
struct EigenvalueEstimate {
    double value = 0.0;
    double error = 0.0;    ///< an eigenvalue lies within this of `value`, up to rounding
    Index iterations = 0;  ///< restarts of the Lanczos process
    bool converged = false;
};

/// Smallest eigenvalue of A = L Lᵀ without the others: Lanczos on A⁻¹ (Spectra, implicitly
/// restarted), two triangular solves of 2n² flops each step. `error` is the residual of the
/// eigenvector of A⁻¹ turned into a distance. Rounding adds about n·u·‖A‖: below that the value
/// says nothing. Throws InvalidInput unless the factor is positive.
[[nodiscard]] EigenvalueEstimate minimum_eigenvalue(const PackedCholeskyOf<double>& factor);

/// The same of a positive definite n×n matrix known by solve(B) = A⁻¹ B, n ≥ 1.
[[nodiscard]] EigenvalueEstimate minimum_eigenvalue(
    Index n, const std::function<Matrix(const Matrix&)>& solve);

}  // namespace attest

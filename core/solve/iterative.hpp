#pragma once

#include "core/solve/conjugate_gradient.hpp"
#include "core/solve/coordinates.hpp"

namespace attest {

/// M ≈ Σ H Hᵀ + N·ridge·W², symmetric positive definite.
struct Preconditioner {
    std::function<Matrix(const Matrix&)> apply;  ///< M⁻¹ G
    double norm1 = 0.0;                          ///< ‖M‖₁
    double rcond = 0.0;                          ///< 1/cond₁(M)
    Matrix cross;                                ///< Σ H yᵀ, where it came along; else empty
};

/// The ridge of the sum over examples, in the coordinates of the solve.
[[nodiscard]] double summed_ridge(const MomentSource& source,
                                  const SolveOptions& options,
                                  const SolveCoordinates& coordinates);

/// Preconditioned conjugate gradients in `coordinates`, mapped back. The error bound is that of a
/// backward stable solver with κ² = cond(M) times the spread of the Ritz values, plus what the
/// gradient that is left may hide. Refuses when that part is the larger one: not converged.
[[nodiscard]] LeastSquaresFit fit_iteratively(std::string_view solver,
                                              const SolveCoordinates& coordinates,
                                              const SolveOptions& options,
                                              const Preconditioner& preconditioner,
                                              const ConjugateGradientOptions& control);

}  // namespace attest

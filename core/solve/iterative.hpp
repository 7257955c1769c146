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
    double departure = 1.0;  ///< bound for ‖M^{-1/2} G M^{-1/2} − I‖₂, G what M stands for; 1 or
                             ///< more: not known, to be measured
};

/// Below it the spread of M⁻¹G follows from the departure; else it has to be measured.
constexpr double kKnownDeparture = 0.5;

/// The ridge of the sum over examples, in the coordinates of the solve.
[[nodiscard]] double summed_ridge(Index num_examples,
                                  const SolveOptions& options,
                                  const SolveCoordinates& coordinates);

/// Preconditioned conjugate gradients in `coordinates`, mapped back. The error bound is that of a
/// backward stable solver with κ² = cond(M) times the spread of M⁻¹G, plus what the gradient that
/// is left may hide. The spread follows from the departure where that is below 1/2, else it is
/// measured (core/solve/spread.hpp). Refuses where the iteration does not converge or does not
/// resolve the spread.
[[nodiscard]] LeastSquaresFit fit_iteratively(std::string_view solver,
                                              const SolveCoordinates& coordinates,
                                              const SolveOptions& options,
                                              const Preconditioner& preconditioner,
                                              const ConjugateGradientOptions& control);

/// The same on features in these coordinates that are at hand in another way than by
/// `coordinates.source`, which is not used.
[[nodiscard]] LeastSquaresFit fit_iteratively(std::string_view solver,
                                              const FeatureMap& features,
                                              const SolveCoordinates& coordinates,
                                              const SolveOptions& options,
                                              const Preconditioner& preconditioner,
                                              const ConjugateGradientOptions& control);

}  // namespace attest

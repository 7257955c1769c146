#pragma once

#include "core/solve/problem.hpp"

#include <limits>

namespace attest {

/// 2u: the distance from 1 to the next double.
inline constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

/// What decides how accurate least squares can be.
struct Conditioning {
    double condition = 1.0;  ///< κ, of the features in the coordinates of the solve
    double residual = 0.0;   ///< ρ = ‖Y − HP‖_F / (‖H‖ ‖P‖_F)
    double input = 0.0;      ///< relative rounding of the features before the solve, in units of u
};

/// b/(1 − b) with b = (30·√ψ + input)·u·κ(1 + κρ): relative error of the coefficients from a
/// backward stable solver, b being its first order (Higham 2002, theorem 20.1; √ψ in place of ψ is
/// the probabilistic form, Higham & Mary 2019; 30 is the allowance of residual ratios) as a share
/// of the computed P, by which ρ is known: ‖P*‖ may be (1 − b)‖P‖. ∞ from b = 1 on, and where P = 0
/// and the residual is not.
[[nodiscard]] double backward_stable_error(Index psi, const Conditioning& conditioning);

/// b/(1 − b) with b = 30·√ψ·u·κ²(1 + ρ): the same of normal equations solved by Cholesky alone
/// (Higham 2002, §20.4).
[[nodiscard]] double normal_equations_error(Index psi, const Conditioning& conditioning);

/// From this error on a solver refuses: not one digit is assured.
constexpr double kLargestError = 0.1;

/// ρ from the norms of residual, features and coefficients. 0 where the residual is 0.
[[nodiscard]] double residual_share(double residual_norm, double feature_norm, double P_norm);

/// The fit with its error bound, or its refusal where the bound is kLargestError or more.
[[nodiscard]] LeastSquaresFit with_error_bound(LeastSquaresFit fit, double error_bound);

}  // namespace attest

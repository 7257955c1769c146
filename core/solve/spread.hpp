#pragma once

#include "core/solve/conjugate_gradient.hpp"

#include <functional>

namespace attest {

/// The extreme eigenvalues of M⁻¹(HHᵀ + ridge W²), and whether the iteration sees all of them.
struct HiddenSpread {
    double smallest = 0.0;  ///< 0: not known
    double largest = 0.0;
    double missed = 1.0;  ///< relative error of answers that were known beforehand
};

/// Runs conjugate gradients on questions of its own, because the labels at hand may hide the least
/// eigenvalue. (i) Labels r of N(0, I): Hᵀr holds every eigenvector with √λ times a normal number,
/// so that the Ritz values of the converged iteration reach both ends (Golub & Van Loan 2013,
/// §10.1), unless √λ is rounding too. (ii) Labels of two random P: a direction that rounding hides
/// stays missing, |ζ|/√ψ of P or more with a normal number ζ. Costs three more outputs.
[[nodiscard]] HiddenSpread measured_spread(const LeastSquaresProblem& problem,
                                           const std::function<Matrix(const Matrix&)>& precondition,
                                           const ConjugateGradientOptions& options);

/// What `missed` may be for the Ritz values to be believed: an iteration in double reaches it up to
/// a condition of about 1e12, below which (i) sees every eigenvalue; a missing direction stays
/// under it with probability 1e-8·ψ/2.
constexpr double kLargestMissed = 1e-4;

}  // namespace attest

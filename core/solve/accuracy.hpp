#pragma once

#include "core/data/sources/moments.hpp"
#include "core/solve/iterative.hpp"
#include "core/solve/problem.hpp"

#include <functional>
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

/// A second moment that was factored in Scalar, wherever its factor is.
template <class Scalar>
struct FactoredMatrixOf {
    Index n = 0;
    double trace = 0.0;  ///< of the matrix M that was factored
    double norm1 = 0.0;  ///< ‖M‖₁
    double rcond = 0.0;  ///< estimate of 1/cond₁(M)
    std::function<MatrixOf<Scalar>(const MatrixOf<Scalar>&)> solve;  ///< M⁻¹ B
};

/// ‖M^{-1/2}(G − M)M^{-1/2}‖₂ for the factored M. G is formed with errors of at most
/// γ_m Σ |H||H|ᵀ (moment_sums.hpp) and factored with γ_{ψ+1} |L||L|ᵀ (Higham 2002, theorem 10.3);
/// the norms of both products are at most the trace, and √m stands for m as in accuracy.hpp.
template <class Scalar>
[[nodiscard]] double gram_departure(const FactoredMatrixOf<Scalar>& M, const SourceShape& shape);

/// M⁻¹ G in Scalar, G first brought to size 1.
template <class Scalar>
[[nodiscard]] Matrix solve_in(const FactoredMatrixOf<Scalar>& M, const Matrix& G);

extern template double gram_departure(const FactoredMatrixOf<double>&, const SourceShape&);
extern template double gram_departure(const FactoredMatrixOf<float>&, const SourceShape&);
extern template Matrix solve_in(const FactoredMatrixOf<double>&, const Matrix&);
extern template Matrix solve_in(const FactoredMatrixOf<float>&, const Matrix&);

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

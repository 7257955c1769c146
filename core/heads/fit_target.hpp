#pragma once

#include "core/model/parameters.hpp"

namespace attest {

/// What a fit with H heads approximates: min ‖L(p̂ − p)‖_F over p̂ of H heads, p in isometric
/// coordinates.
struct FitTarget {
    Index d = 0;
    Index o = 0;
    Matrix P;     ///< ψ×o, Algorithm 2's coordinates
    Matrix L;     ///< r×ψ of full row rank, or 0×0 for the identity (Frobenius norm ‖Sym W‖)
    Matrix goal;  ///< L p, r×o
    double scale;  ///< ‖L p‖_F, what relative residuals are relative to
};

/// The unweighted target: ‖Sym Ŵ − Sym W‖_F. P is ψ×o.
[[nodiscard]] FitTarget frobenius_target(const Matrix& P, Index d);

/// The target in the norm of a second moment Λ = RᵀR (R has ψ columns, e.g. the triangular factor
/// of the data): E‖(P̂ − P)ᵀ H‖². Directions of R below max(rows, ψ)·ε·σ_max are left out. One SVD
/// of R.
[[nodiscard]] FitTarget weighted_target(const Matrix& P, Index d, const Matrix& R);

/// ‖L(p̂ − p)‖ / ‖L p‖ of coefficients P̂ (ψ×o); 0 when both vanish. Its square is the relative loss.
[[nodiscard]] double relative_residual(const FitTarget& target, const Matrix& P);

/// The same for heads: their coefficients are formed first, so rounding in the heads is seen.
[[nodiscard]] double relative_residual(const FitTarget& target, const Parameters& heads);

}  // namespace attest

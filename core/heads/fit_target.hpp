#pragma once

#include "core/base/shape.hpp"
#include "core/model/parameters.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

namespace attest {

/// How an iterative fit ended.
enum class FitEnd : std::uint8_t {
    target,       ///< the relative residual is at or below the target
    stationary,   ///< no step decreases the residual any more
    stalled,      ///< the decrease over the stall window is below the limit
    iterations,   ///< the iteration limit
    interrupted,  ///< the caller's predicate
};

[[nodiscard]] std::string_view to_string(FitEnd end);

/// When an iterative fit stops.
struct FitControl {
    Index max_iterations = 400;
    double target = 1e-14;            ///< relative residual that counts as exact
    Index stall_window = 30;          ///< iterations …
    double stall_decrease = 1e-3;     ///< … in which the residual must fall by this fraction
    std::function<bool()> interrupt;  ///< asked once an iteration; true stops with the best so far
};

/// Why a fit with these residuals (the start's and every accepted step's) and so many iterations
/// ends here; empty when it goes on. Asks the predicate last.
[[nodiscard]] std::optional<FitEnd> reason_to_stop(const std::vector<double>& history,
                                                   Index iterations,
                                                   const FitControl& control);

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

/// H heads as two factors of W = V Q ((o·d)×d²): column h of V is flatten(V_h), row h of Q is
/// flatten(Q_h).
struct HeadFactors {
    Matrix V;  ///< (o·d)×H
    Matrix Q;  ///< H×d²
};

/// The best V for given Q, with what variable projection needs of the solve.
struct ValueFit {
    Matrix V;            ///< (o·d)×H
    Matrix basis;        ///< r×k, orthonormal columns spanning the range of L B(Q)
    Matrix residual;     ///< L p − Π L p, r×o, Π the projector on that range
    double error = 0.0;  ///< ‖residual‖_F
};

/// B(Q), ψ×H·d in isometric coordinates: p_a = B(Q) [V_0,a: … V_{H−1},a:]ᵀ for every output a.
/// Column h·d + b holds row b of head h. Q is H×d². O(H d³) entries differ from zero.
[[nodiscard]] Matrix value_design(const Matrix& Q, Index d);

/// V ((o·d)×H) from the solution of a system in value_design: row h·d + b, column a holds V_h[a,b].
[[nodiscard]] Matrix values_of_solution(const Matrix& solution, Index d);

/// The inverse of values_of_solution: H·d×o.
[[nodiscard]] Matrix solution_of_values(const Matrix& V, Index d);

/// min_V ‖L(p̂(V,Q) − p)‖_F by Householder QR of L B(Q); by SVD with the least V when B is
/// numerically rank deficient (1/cond₁ below H·d·ε). 2rH²d² flops, after 2rψHd to weight B where
/// there is an L.
[[nodiscard]] ValueFit fit_values(const FitTarget& target, const Matrix& Q);

/// The heads of W = V Q with the scales balanced by its SVD (‖V_h‖ = ‖Q_h‖, orthogonal, strongest
/// first). Fewer than H heads when W is numerically of lower rank.
[[nodiscard]] Parameters balanced_heads(const HeadFactors& factors, Index d);

/// The factors of given heads.
[[nodiscard]] HeadFactors head_factors(const Parameters& heads);

}  // namespace attest

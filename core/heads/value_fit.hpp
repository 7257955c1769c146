#pragma once

#include "core/heads/fit_target.hpp"

namespace attest {

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

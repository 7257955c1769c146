#pragma once

#include "core/algebra/matrix.hpp"
#include "core/softmax/hull.hpp"

#include <optional>

namespace attest::test {

/// The convex body of the paper's second and fourth phase, K = {Θ : |⟨v_t, Θ⟩ − c_t| ≤ κ s_t for
/// all t}, made robust (ours): one row on which the heads do not agree would otherwise empty K or
/// blow κ up until K holds 0.
struct ThetaPolytope {
    AffineConstraints kept;    ///< the 80 % that fit the L1 solution best; s floored at its median
    double kappa = 0.0;        ///< max(1, 1.5 κ_min, the 80 % quantile of the L1 misfits)
    double least_kappa = 0.0;  ///< κ_min: the least with which the kept constraints have a point
    Vector center;             ///< argmin Σ_t |⟨v_t, Θ⟩ − c_t|/s_t
    Vector x0;                 ///< the point of K of least norm
    bool found = false;        ///< false: a linear program did not finish, or K is empty
};

/// Two linear programs and one least-distance program over the constraints; O(T d⁴) an iteration.
[[nodiscard]] ThetaPolytope robust_polytope(const AffineConstraints& constraints);

/// The same with this κ.
[[nodiscard]] ThetaPolytope polytope_with(const AffineConstraints& constraints, double kappa);

/// max ⟨g, Θ⟩ − min ⟨g, Θ⟩ over K, by two linear programs; nothing when one does not finish, as
/// where K is unbounded along g.
[[nodiscard]] std::optional<double> width(const ThetaPolytope& K, const Vector& direction);

/// x ≥ 0 of least ‖E x − f‖, by Lawson and Hanson's active sets (Solving Least Squares Problems,
/// 1974, chapter 23). E is r×T. O(r p²) an iteration, p the number of positive entries, at most 3T
/// iterations.
[[nodiscard]] Vector nonnegative_least_squares(const Matrix& E, const Vector& f);

/// The point of least norm with G x ≥ h (rows of G), by least-distance programming (chapter 23.4);
/// nothing when no point satisfies the inequalities.
[[nodiscard]] std::optional<Vector> least_distance(const Matrix& G, const Vector& h);

}  // namespace attest::test

#pragma once

#include "core/softmax/sculpt.hpp"

namespace attest {

/// Affine constraints ⟨v_t, Θ⟩ = c_t with the size s_t of their error, v_t = x_a ⊗ (x_j − x_0)
/// flattened by rows.
struct AffineConstraints {
    Matrix v;  ///< d²×T
    Vector c;
    Vector s;

    [[nodiscard]] Index count() const { return c.size(); }
};

/// The constraints that sculpted rows give.
[[nodiscard]] AffineConstraints constraints_of(const SculptedRows& rows);

/// An estimate of the affine hull of Θ_1, …, Θ_m in R^{d²}.
struct ThetaHull {
    Vector x0;          ///< its point of least norm: ⟨x0, Θ_i⟩ = ‖x0‖² for every i
    Matrix directions;  ///< d²×(m−1), orthonormal, orthogonal to x0
    Vector sigma;       ///< singular values of the weighted constraints, descending, d²+1
    double gap = 0.0;   ///< σ_{d²+1−m} / σ_{d²+2−m}: how clearly m directions are left over
    bool found = false;  ///< false: fewer than d² + m constraints, or every point at infinity
};

/// The m right singular vectors of least singular value of the rows (v_t, −c_t)/s_t span {(Θ_i,
/// 1)}, since each row annihilates every (Θ_i, 1) up to its error: total least squares. Five rounds
/// of reweighting bound the influence of rows that fit ill; s_t is floored at 0.05 of its median.
/// Ours, in place of the paper's convex body. O(T n²) for constraints on R^n, n = d² unless they
/// are seen from a subspace. Throws InvalidInput unless 1 ≤ m ≤ n.
[[nodiscard]] ThetaHull spectral_hull(const AffineConstraints& constraints, Index m);

/// The ratio σ_{n−j}/σ_{n−j+1} of a hull's n = d²+1 singular values, the gap if there were j heads.
[[nodiscard]] double gap_for(const ThetaHull& hull, Index j);

/// The least-norm point of the affine hull of points (columns), and orthonormal directions of it.
struct AffineHull {
    Vector x0;
    Matrix directions;
};

[[nodiscard]] AffineHull affine_hull(const Matrix& points);

}  // namespace attest

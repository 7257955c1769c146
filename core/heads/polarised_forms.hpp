#pragma once

#include "core/algebra/lapack.hpp"
#include "core/rng/stream.hpp"

namespace attest {

/// An orthonormal basis of the tokens' space with the SVD of M(x) at its first vector.
struct FormBasis {
    Matrix X;                  ///< d×d, the basis vectors x_0, … as columns
    Svd first;                 ///< of M(x_0), o×d
    double separation = -1.0;  ///< σ_H/σ_1 of M(x_0)
};

/// The random basis, of three, whose first vector separates the H-th singular value best. P is ψ×o,
/// 1 ≤ H ≤ min(o, d).
[[nodiscard]] FormBasis best_form_basis(const Matrix& P, Index d, Index H, const Stream& stream);

/// M polarised at basis vectors, N(x_i, x_j) = M(x_i + x_j) − M(x_i) − M(x_j), in the bases [U1 U2]
/// and [W1 W2] of left and right singular vectors of M(x_0), U1 and W1 the first H. P and the basis
/// must outlive it.
class PolarisedForms {
public:
    PolarisedForms(const Matrix& P, const FormBasis& basis, Index H);

    /// [U1 U2]ᵀ N(x_i, x_j) [W1 W2], o×d. O(ψ o).
    [[nodiscard]] Matrix at(Index i, Index j) const;

    /// Its blocks U1ᵀN W1 (H×H), U2ᵀN W1 ((o−H)×H) and U1ᵀN W2 (H×(d−H)).
    [[nodiscard]] Matrix inner(const Matrix& N) const { return N.topLeftCorner(H_, H_); }

    [[nodiscard]] Matrix lower_left(const Matrix& N) const {
        return N.bottomLeftCorner(N.rows() - H_, H_);
    }

    [[nodiscard]] Matrix upper_right(const Matrix& N) const {
        return N.topRightCorner(H_, N.cols() - H_);
    }

    /// [U1 U2] and [W1 W2], orthogonal.
    [[nodiscard]] const Matrix& left() const { return left_; }

    [[nodiscard]] const Matrix& right() const { return right_; }

private:
    const Matrix& P_;
    const Matrix& X_;
    Index H_;
    Matrix left_;
    Matrix right_;
};

}  // namespace attest

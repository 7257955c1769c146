#include "core/heads/closed_form.hpp"

#include "core/algebra/lapack.hpp"
#include "core/features/coefficients.hpp"
#include "core/heads/isometric.hpp"
#include "core/rng/sample.hpp"
#include "core/rng/stream.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace attest {

namespace {

/// An orthonormal basis of the tokens' space with the SVD of M(x) at its first vector.
struct FormBasis {
    Matrix X;                  ///< d×d, the basis vectors x_0, … as columns
    Svd first;                 ///< of M(x_0), o×d
    double separation = -1.0;  ///< σ_H/σ_1 of M(x_0)
};

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

/// [A's columns | an orthonormal complement], A with orthonormal columns.
Matrix completed(const Matrix& A) {
    Matrix stacked(A.rows(), A.cols() + A.rows());
    stacked << A, Matrix::Identity(A.rows(), A.rows());
    Matrix full = thin_qr(stacked).Q;
    full.leftCols(A.cols()) = A;
    return full;
}

/// The random basis, of three, whose first vector separates the H-th singular value best. P is ψ×o,
/// 1 ≤ H ≤ min(o, d).
FormBasis best_form_basis(const Matrix& P, Index d, Index H, const Stream& stream) {
    FormBasis best;
    for (Index i = 0; i < 3; ++i) {
        const Matrix X = thin_qr(grid_matrix(grid_normal(), d, d, stream.child(i))).Q;
        const Vector x = X.col(0);
        const Svd first = svd(form_matrix<double>(P, x));
        const double separation = first.sigma(0) > 0.0 ? first.sigma(H - 1) / first.sigma(0) : 0.0;
        if (separation > best.separation) {
            best = {X, first, separation};
        }
    }
    return best;
}

PolarisedForms::PolarisedForms(const Matrix& P, const FormBasis& basis, Index H)
    : P_(P),
      X_(basis.X),
      H_(H),
      left_(completed(basis.first.U.leftCols(H))),
      right_(completed(basis.first.V.leftCols(H))) {}

Matrix PolarisedForms::at(Index i, Index j) const {
    const Vector x = X_.col(i);
    const Vector y = X_.col(j);
    const Matrix N =
        form_matrix<double>(P_, x + y) - form_matrix<double>(P_, x) - form_matrix<double>(P_, y);
    return left_.transpose() * N * right_;
}

constexpr double kNullThreshold = 1e-10;

/// What N(x_0, y) tells about one y: E = U2ᵀA(y), F = W2ᵀB(y), G = U1ᵀN(x_0,y)W1.
struct Outer {
    Matrix E;
    Matrix F;
    Matrix G;
};

/// rows += coefficient ⊗ placed on the unknown block of one y: vec(E X s) = (s ⊗ E) vec X.
void add_left_times(Eigen::Ref<Matrix> block, const Matrix& E, const Vector& s) {
    const Index H = s.size();
    for (Index k = 0; k < H; ++k) {
        block.block(k * E.rows(), k * H, E.rows(), H) += s(k) * E;
    }
}

/// vec(X Fᵀ) = (F ⊗ I) vec X.
void add_times_right(Eigen::Ref<Matrix> block, const Matrix& F) {
    const Index H = F.cols();
    for (Index r = 0; r < F.rows(); ++r) {
        for (Index k = 0; k < H; ++k) {
            block.block(r * H, k * H, H, H).diagonal().array() += F(r, k);
        }
    }
}

struct InnerSystem {
    Matrix A;
    Vector b;
};

/// The equations of all pairs y ≤ y' for the inner blocks X(y) = U1ᵀA(y).
InnerSystem inner_system(const PolarisedForms& N,
                         const std::vector<Outer>& outer,
                         const Vector& s) {
    const auto count = static_cast<Index>(outer.size());
    const Index H = s.size();
    const Index from_left = N.left().rows() - H;
    const Index from_right = N.right().rows() - H;
    const Index rows = H * (from_left + from_right);
    InnerSystem system{Matrix::Zero(rows * packed_dim(count), count * H * H),
                       Vector(rows * packed_dim(count))};
    Index at = 0;
    for (Index i = 0; i < count; ++i) {
        for (Index j = i; j < count; ++j) {
            const Outer& y = outer[static_cast<std::size_t>(i)];
            const Outer& z = outer[static_cast<std::size_t>(j)];
            const Matrix pair = N.at(i + 1, j + 1);
            const Matrix left = y.E * z.G + z.E * y.G - N.lower_left(pair);
            const Matrix right = N.upper_right(pair);
            for (const auto& [unknown, other] : {std::pair{i, &z}, std::pair{j, &y}}) {
                add_left_times(
                    system.A.block(at, unknown * H * H, from_left * H, H * H), other->E, s);
                add_times_right(
                    system.A.block(at + from_left * H, unknown * H * H, from_right * H, H * H),
                    other->F);
            }
            system.b.segment(at, rows) << left.reshaped(), right.reshaped();
            at += rows;
        }
    }
    return system;
}

/// The least solution of the inner system, with its conditioning.
struct InnerSolution {
    Vector x;
    double rcond = 0.0;
    Index nullity = 0;
};

InnerSolution solve_inner(InnerSystem system) {
    const Index unknowns = system.A.cols();
    if (system.A.rows() == 0) {
        return {Vector::Zero(unknowns), 0.0, unknowns};
    }
    if (system.A.rows() > unknowns) {
        const ThinQr qr = thin_qr(system.A);
        system.A = qr.R;
        system.b = qr.Q.transpose() * system.b;
    }
    const Svd decomposition = svd(system.A);
    const Vector& sigma = decomposition.sigma;
    const Index rank = (sigma.array() > kNullThreshold * sigma(0)).count();
    const Vector coordinates = sigma.head(rank).cwiseInverse().asDiagonal() *
                               (decomposition.U.leftCols(rank).transpose() * system.b);
    const double rcond = sigma.size() < unknowns ? 0.0 : sigma(unknowns - 1) / sigma(0);
    return {decomposition.V.leftCols(rank) * coordinates, rcond, unknowns - rank};
}

/// V and Q from A(x_i) and B(x_i) on the orthonormal basis X: V_h = Σ A_i[:,h] x_iᵀ, Q_h = Σ x_i
/// B_i[:,h]ᵀ.
HeadFactors factors_on_basis(const std::vector<Matrix>& A,
                             const std::vector<Matrix>& B,
                             const Matrix& X) {
    const Index d = X.rows();
    const Index H = A.front().cols();
    HeadFactors factors{Matrix(A.front().rows() * d, H), Matrix(H, d * d)};
    for (Index h = 0; h < H; ++h) {
        Matrix V = Matrix::Zero(A.front().rows(), d);
        Matrix Q = Matrix::Zero(d, d);
        for (Index i = 0; i < d; ++i) {
            V += A[static_cast<std::size_t>(i)].col(h) * X.col(i).transpose();
            Q += X.col(i) * B[static_cast<std::size_t>(i)].col(h).transpose();
        }
        factors.V.col(h) = flatten<double>(V);
        factors.Q.row(h) = flatten<double>(Q).transpose();
    }
    return factors;
}

/// A(x_i) = U1 X_i + U2 E_i and B(x_i) = W1 (G_i − X_i s)ᵀ + W2 F_i, put together.
HeadFactors assemble(const PolarisedForms& N,
                     const std::vector<Outer>& outer,
                     const Vector& inner,
                     const Vector& s,
                     const Matrix& X) {
    const Index H = s.size();
    const Matrix U1 = N.left().leftCols(H);
    const Matrix U2 = N.left().rightCols(N.left().rows() - H);
    const Matrix W1 = N.right().leftCols(H);
    const Matrix W2 = N.right().rightCols(N.right().rows() - H);
    std::vector<Matrix> A{U1};
    std::vector<Matrix> B{W1 * s.asDiagonal()};
    for (std::size_t i = 0; i < outer.size(); ++i) {
        const Outer& y = outer[i];
        const Matrix x = inner.segment(static_cast<Index>(i) * H * H, H * H).reshaped(H, H);
        A.emplace_back(U1 * x + U2 * y.E);
        B.emplace_back(W1 * (y.G - x * s.asDiagonal()).transpose() + W2 * y.F);
    }
    return factors_on_basis(A, B, X);
}

}  // namespace

std::optional<ClosedForm> closed_form_heads(const Matrix& P,
                                            Index d,
                                            Index num_heads,
                                            const Stream& stream) {
    const FitTarget target = frobenius_target(P, d);
    const Index H = num_heads;
    require(H >= 1 && H <= std::min(target.o, d),
            "closed_form_heads: got {} heads, expected 1 to {}",
            H,
            std::min(target.o, d));
    const FormBasis basis = best_form_basis(P, d, H, stream.child("closed form"));
    ClosedForm result;
    result.separation = basis.separation;
    if (result.separation <= kNullThreshold) {
        return std::nullopt;
    }
    const Vector s = basis.first.sigma.head(H);
    const PolarisedForms N(P, basis, H);
    std::vector<Outer> outer;
    for (Index i = 1; i < d; ++i) {
        const Matrix polar = N.at(0, i);
        outer.push_back({N.lower_left(polar) * s.cwiseInverse().asDiagonal(),
                         N.upper_right(polar).transpose(),
                         N.inner(polar)});
    }
    const InnerSolution inner = solve_inner(inner_system(N, outer, s));
    result.rcond = inner.rcond;
    result.nullity = inner.nullity;
    result.factors = assemble(N, outer, inner.x, s, basis.X);
    const Matrix W = result.factors.V * result.factors.Q;
    result.residual = relative_residual(target, coefficients_of_tensor<double>(W, d));
    return result;
}

}  // namespace attest

#include "core/heads/iterations.hpp"

#include "core/algebra/lapack.hpp"
#include "core/base/bitwise.hpp"
#include "core/features/coefficients.hpp"
#include "core/heads/isometric.hpp"
#include "core/rng/sample.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

namespace attest {

namespace {

constexpr double kRelaxation = 0.5;
constexpr double kCloseEnough = 1e-3;

/// W[(a,c),(b,l)] at [(a,b),(c,l)].
Matrix swapped(const Matrix& W, Index d) {
    Matrix S(W.rows(), W.cols());
    for (Index a = 0; a < W.rows() / d; ++a) {
        for (Index b = 0; b < d; ++b) {
            for (Index c = 0; c < d; ++c) {
                S.row(a * d + b).segment(c * d, d) = W.row(a * d + c).segment(b * d, d);
            }
        }
    }
    return S;
}

Matrix top_row_space(const Matrix& W, Index H) {
    return svd(W).V.leftCols(H).transpose();
}

/// The tensor nearest to W among those with the coefficients of `symmetric` (in the symmetric
/// gauge).
Matrix with_coefficients_of(const Matrix& symmetric, const Matrix& W, Index d) {
    return symmetric + 0.5 * (W - swapped(W, d));
}

void require_start(const Matrix& W,
                   const Matrix& symmetric,
                   Index num_heads,
                   std::string_view function) {
    require(W.rows() == symmetric.rows() && W.cols() == symmetric.cols(),
            "{}: W does not have the shape of P's tensors",
            function);
    require(num_heads >= 1 && num_heads <= std::min(W.rows(), W.cols()),
            "{}: the number of heads is out of range",
            function);
}

/// G[(h,h'), (b,b')] = Σ_a V_h[a,b] V_h'[a,b'], H²×d², h and b fast.
Matrix value_gram(const Matrix& V, Index d) {
    const Index H = V.cols();
    const Index o = V.rows() / d;
    Matrix G(H * H, d * d);
    for (Index h = 0; h < H; ++h) {
        // reshaped: d×o, column a holds V_h[a, :].
        const Matrix left = V.col(h).reshaped(d, o);
        for (Index k = 0; k < H; ++k) {
            const Matrix product = left * V.col(k).reshaped(d, o).transpose();
            G.row(k * H + h) = product.reshaped().transpose();
        }
    }
    return G;
}

/// Columns (c',l') ≥ (c,l) of the expanded kernel at fixed (c,l): entry [(b,b'), (c',l')] is
/// w_bc w_b'c' K[({b,c},l), ({b',c'},l')], d²×(d² − c·d − l).
Matrix expanded_kernel(const Matrix& K, Index d, Index c, Index l) {
    const double pair_weight = std::sqrt(0.5);
    const Index first = c * d + l;
    Matrix E(d * d, d * d - first);
    for (Index s = first; s < d * d; ++s) {
        const Index c2 = s / d;
        const Index l2 = s % d;
        for (Index b2 = 0; b2 < d; ++b2) {
            const Index column = pack_index(d, b2, c2) * d + l2;
            const double outer = b2 == c2 ? 1.0 : pair_weight;
            for (Index b = 0; b < d; ++b) {
                const double inner = b == c ? outer : outer * pair_weight;
                E(b2 * d + b, s - first) = inner * K(pack_index(d, b, c) * d + l, column);
            }
        }
    }
    return E;
}

/// Rows orthonormal, the same row space.
Matrix orthonormal_rows(const Matrix& Q) {
    return thin_qr(Q.transpose()).Q.transpose();
}

/// Lᵀ(I − Π)L, ψ×ψ: what the eliminated values leave of the metric.
Matrix projected_metric(const FitTarget& target, const Matrix& basis) {
    const Index psi = feature_dim(target.d);
    if (target.L.size() == 0) {
        Matrix K = Matrix::Identity(psi, psi);
        add_product(K, -basis, basis.transpose());
        return K;
    }
    const Matrix outside = target.L - basis * (basis.transpose() * target.L);
    Matrix K = Matrix::Zero(psi, psi);
    add_product(K, outside.transpose(), outside);
    return K;
}

Matrix gradient_of(const FitTarget& target, const ValueFit& fit) {
    const Matrix r =
        target.L.size() == 0 ? fit.residual : Matrix(target.L.transpose() * fit.residual);
    return head_gradient(fit.V, r, target.d);
}

/// A + mass·(QᵀQ ⊗ I_H) on the lower triangle: Q's rows are orthonormal, so this lifts exactly the
/// H² directions of GL(H), in which A is zero.
void hold_gauge(Matrix& A, const Matrix& Q, double mass) {
    const Index H = Q.rows();
    const Matrix projector = mass * (Q.transpose() * Q);
    for (Index s = 0; s < Q.cols(); ++s) {
        for (Index t = s; t < Q.cols(); ++t) {
            A.block(t * H, s * H, H, H).diagonal().array() += projector(t, s);
        }
    }
}

/// Nielsen's damping: μ and the factor by which the next rejection raises it.
struct Damping {
    double mu;
    double factor = 2.0;

    void accept(double gain) {
        mu *= std::max(1.0 / 3.0, 1.0 - std::pow(2.0 * gain - 1.0, 3.0));
        factor = 2.0;
    }

    void reject() {
        mu *= factor;
        factor *= 2.0;
    }
};

/// One accepted or rejected step's ingredients at the current point.
struct Linearisation {
    Matrix A;         ///< normal matrix with the gauge held, lower triangle
    Vector gradient;  ///< steepest descent direction, vec(H×d²)
    double mass;      ///< mean of the normal matrix's diagonal
};

Linearisation linearise(const FitTarget& target, const Matrix& Q, const ValueFit& fit) {
    Linearisation at;
    at.A = gauss_newton_matrix(fit.V, projected_metric(target, fit.basis), target.d);
    at.mass = std::max(at.A.diagonal().mean(), 0.0);
    hold_gauge(at.A, Q, at.mass);
    at.gradient = gradient_of(target, fit).reshaped();
    return at;
}

Vector damped_step(const Linearisation& at, double mu) {
    Matrix A = at.A;
    A.diagonal().array() += mu;
    const CholeskyFactor factor = cholesky(A);
    return factor.positive ? Vector(cholesky_solve(factor, at.gradient)) : Vector();
}

/// The state of one run.
class Iteration {
public:
    Iteration(const FitTarget& target, const Matrix& Q, const FitControl& control)
        : target_(target), control_(control), scale_(is_zero(target.scale) ? 1.0 : target.scale) {
        fit_.factors.Q = orthonormal_rows(Q);
        values_ = fit_values(target_, fit_.factors.Q);
        fit_.history.push_back(values_.error / scale_);
    }

    [[nodiscard]] HeadFit run() {
        while (!ended_) {
            ended_ = fit_.factors.Q.rows() == 0
                         ? FitEnd::target
                         : reason_to_stop(fit_.history, fit_.iterations, control_);
            if (!ended_) {
                step();
            }
        }
        fit_.end = *ended_;
        fit_.factors.V = values_.V;
        fit_.residual = fit_.history.back();
        return fit_;
    }

private:
    void step() {
        if (moved_) {
            at_ = linearise(target_, fit_.factors.Q, values_);
            const double start = fit_.iterations == 0 ? 1e-2 * at_.mass : damping_.mu;
            damping_.mu = std::max(start, 1e-15 * at_.mass);
            moved_ = false;
        }
        ++fit_.iterations;
        const Vector delta = damped_step(at_, damping_.mu);
        if (delta.size() == 0 && at_.mass > 0.0) {
            damping_.reject();
            return;
        }
        const double before = values_.error * values_.error;
        const double predicted =
            delta.size() == 0 ? 0.0 : delta.dot(damping_.mu * delta + at_.gradient);
        // A decrease below the rounding of the sum of squares cannot be seen.
        if (!(predicted > 1e-16 * before)) {
            ended_ = FitEnd::stationary;
            return;
        }
        const Matrix& Q = fit_.factors.Q;
        const Matrix trial = orthonormal_rows(Q + delta.reshaped(Q.rows(), Q.cols()));
        ValueFit values = fit_values(target_, trial);
        const double gain = (before - values.error * values.error) / predicted;
        if (!(gain > 0.0)) {
            damping_.reject();
            return;
        }
        fit_.factors.Q = trial;
        values_ = std::move(values);
        fit_.history.push_back(values_.error / scale_);
        damping_.accept(gain);
        moved_ = true;
    }

    const FitTarget& target_;
    const FitControl& control_;
    double scale_;
    HeadFit fit_;
    ValueFit values_;
    Linearisation at_;
    Damping damping_{0.0};
    bool moved_ = true;
    std::optional<FitEnd> ended_;
};

}  // namespace

Matrix random_gauge(const Matrix& P, Index d, const Stream& stream) {
    const Matrix W = symmetric_gauge<double>(P, d);
    const Matrix G = grid_matrix(grid_normal(), W.rows(), W.cols(), stream.child("gauge"));
    const Matrix A = G - swapped(G, d);
    const double norm = A.norm();
    return is_zero(norm) ? W : Matrix(W + (W.norm() / norm) * A);
}

Matrix alternating_projections(
    const Matrix& W, const Matrix& P, Index d, Index num_heads, Index steps) {
    const Matrix symmetric = symmetric_gauge<double>(P, d);
    require_start(W, symmetric, num_heads, "alternating_projections");
    Matrix Q = top_row_space(W, num_heads);
    Matrix at = W;
    for (Index step = 0; step < steps; ++step) {
        const Matrix low_rank = (at * Q.transpose()) * Q;
        at = with_coefficients_of(symmetric, low_rank, d);
        Q = top_row_space(at, num_heads);
    }
    return Q;
}

Matrix averaged_reflections(
    const Matrix& W, const Matrix& P, Index d, Index num_heads, Index steps) {
    const Matrix symmetric = symmetric_gauge<double>(P, d);
    require_start(W, symmetric, num_heads, "averaged_reflections");
    const double close = kCloseEnough * symmetric.norm();
    Matrix Q = top_row_space(W, num_heads);
    Matrix at = W;
    for (Index step = 0; step < steps; ++step) {
        const Matrix low_rank = (at * Q.transpose()) * Q;
        const Matrix move = with_coefficients_of(symmetric, 2.0 * low_rank - at, d) - low_rank;
        if (move.norm() <= close) {
            break;
        }
        at += kRelaxation * move;
        Q = top_row_space(at, num_heads);
    }
    return Q;
}

Matrix gauss_newton_matrix(const Matrix& V, const Matrix& K, Index d) {
    const Index H = V.cols();
    require(V.rows() % d == 0 && K.rows() == feature_dim(d) && K.cols() == K.rows(),
            "gauss_newton_matrix: V and K do not match d");
    const Matrix G = value_gram(V, d);
    Matrix A(H * d * d, H * d * d);
    for (Index s = 0; s < d * d; ++s) {
        const Matrix E = expanded_kernel(K, d, s / d, s % d);
        Matrix block = Matrix::Zero(H * H, E.cols());
        add_product(block, G, E);
        for (Index t = s; t < d * d; ++t) {
            // block.col is [(h,k)]: h belongs to (c,l) = s, k to (c',l') = t.
            A.block(t * H, s * H, H, H) = block.col(t - s).reshaped(H, H).transpose();
        }
    }
    return A;
}

Matrix head_gradient(const Matrix& V, const Matrix& r, Index d) {
    return V.transpose() * symmetric_gauge<double>(from_isometric(r, d), d);
}

HeadFit variable_projection(const FitTarget& target, const Matrix& Q, const FitControl& control) {
    require(Q.cols() == target.d * target.d && Q.rows() <= Q.cols(),
            "variable_projection: Q is {}x{}, expected at most {} rows and as many columns",
            Q.rows(),
            Q.cols(),
            target.d * target.d);
    return Iteration(target, Q, control).run();
}

double tangent_rcond(const FitTarget& target, const HeadFactors& factors) {
    if (factors.Q.rows() == factors.Q.cols()) {
        return 1.0;  // the Grassmannian is a point
    }
    const Matrix Q = orthonormal_rows(factors.Q);
    const ValueFit values = fit_values(target, Q);
    Matrix A = gauss_newton_matrix(values.V, projected_metric(target, values.basis), target.d);
    const double mass = A.diagonal().maxCoeff();
    hold_gauge(A, Q, mass);
    const Vector eigenvalues = symmetric_eigenvalues(A);
    const double largest = eigenvalues(eigenvalues.size() - 1);
    return largest > 0.0 ? std::max(eigenvalues(0), 0.0) / largest : 0.0;
}

IterationCost variable_projection_cost(const FitTarget& target, Index num_heads) {
    const auto d = static_cast<double>(target.d);
    const auto H = static_cast<double>(num_heads);
    const auto psi = static_cast<double>(feature_dim(target.d));
    const auto r = static_cast<double>(target.goal.rows());
    const double unknowns = H * d * d;
    double flops = 4.0 * r * H * d * H * d + 2.0 * psi * psi * std::min(r, H * d) +
                   H * H * std::pow(d, 6.0) + std::pow(unknowns, 3.0) / 3.0;
    if (target.L.size() > 0) {
        flops += 2.0 * r * psi * (3.0 * H * d + psi);
    }
    return {flops, 8.0 * (2.0 * unknowns * unknowns + 3.0 * psi * psi + 3.0 * r * H * d)};
}

}  // namespace attest
